import {
  approvalText,
  becameText,
  canBeAdjusted,
  creditedText,
  paymentText,
  purposeText,
  rejectionText,
} from './deposit-words.js';

const deposit = {
  id: 'd1',
  paymentId: '5077125051',
  gamerTag: 'mina_9',
  amountCents: 2_000,
  cryptoType: 'LTC',
  createdAt: 0,
  purpose: 'deposit',
  reason: 'Underpaid',
  change: null,
} as const;

describe('the words about a deposit', () => {
  it('say who gets how much, and the depositor status', () => {
    expect(approvalText(deposit)).toBe(
      '$20.00 goes to mina_9’s purchase balance, and makes them a depositor for 30 days from now. The ledger keeps it: only an adjustment can take it back.',
    );
  });

  it('promise no status for a payment that was for tokens', () => {
    expect(approvalText({ ...deposit, purpose: 'tokens' })).not.toContain('depositor');
  });

  it('say what a rejection leaves undone', () => {
    expect(rejectionText(deposit)).toMatch(/^mina_9 is not credited \$20\.00, and payment 5077125051 leaves/);
    expect(rejectionText({ ...deposit, gamerTag: null })).toMatch(/^Nobody is credited \$20\.00/);
  });

  it('describe a payment found at the gateway', () => {
    expect(paymentText({ amount: '7.00', cryptoType: 'TRX', status: 'finished' })).toBe('$7.00 in TRX, finished');
  });

  it('say what became of a payment that changed since', () => {
    const outcomes = ['deposit', 'balance', 'tokens', 'review', 'rejected'] as const;
    expect(outcomes.map(becameText)).toEqual([
      'to the balance',
      'to the balance',
      'as tokens',
      'waits for a decision',
      'rejected',
    ]);
    expect([purposeText('deposit'), purposeText('tokens')]).toEqual(['Deposit', 'Tokens']);
    expect([300, null].map((creditedCents) => creditedText({ creditedCents }))).toEqual(['$3.00', 'nothing']);
  });

  it('leave to an adjustment what waits no more', () => {
    expect(canBeAdjusted('review')).toBe(false);
    expect((['deposit', 'balance', 'tokens', 'rejected'] as const).every(canBeAdjusted)).toBe(true);
  });
});
