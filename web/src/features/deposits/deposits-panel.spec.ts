import { describeApproval, describeRejection, reviewRows } from './deposits-panel.js';

const deposit = {
  id: 'd1',
  paymentId: '5077125051',
  gamerTag: 'mina_9',
  amountCents: 2_000,
  cryptoType: 'LTC',
  createdAt: 0,
  purpose: 'deposit',
  dueCents: 3_000,
  reason: 'Less arrived than was due',
  change: null,
} as const;

describe('a payment', () => {
  it('to approve is described by gamer, amount and depositor status, which one for tokens does not give', () => {
    expect(describeApproval(deposit)).toBe(
      '$20.00 goes to the purchase balance of mina_9. Who made a deposit is a depositor for 30 days from now. The ledger keeps it: only an adjustment can take it back.',
    );
    expect(describeApproval({ ...deposit, purpose: 'tokens' })).not.toContain('depositor');
  });

  it('to approve shows what was due and what arrived', () => {
    expect(reviewRows(deposit)).toEqual([
      ['Reason', 'Less arrived than was due'],
      ['Due, without the fee', '$30.00'],
      ['Arrived, without the fee', '$20.00'],
    ]);
    expect(reviewRows({ ...deposit, purpose: 'tokens', dueCents: null })).toEqual([
      ['Reason', 'Less arrived than was due'],
      ['Arrived', '$20.00'],
    ]);
  });

  it('to reject is described by its gamer, if known, and its id', () => {
    expect(describeRejection(deposit)).toMatch(
      /^\$20\.00 is not credited to mina_9, and payment 5077125051 .*They get a mail/,
    );
    expect(describeRejection({ ...deposit, gamerTag: null })).not.toContain('mail');
  });
});
