import type { WithdrawalStatus } from '../../../../../contracts/http/withdrawals.js';
import { nextStatuses, settlementAction, settlementText, updateBody } from './settlement.js';

const payout = (status: WithdrawalStatus, gamerTag: string | null = 'Mirela-88') => ({
  amountCents: 11_240,
  status,
  gamerTag,
});

describe('settling a withdrawal', () => {
  it('leads from pending over processing to an end that is final', () => {
    expect(nextStatuses(payout('pending'))).toEqual(['processing', 'completed', 'returned']);
    expect(nextStatuses(payout('processing'))).toEqual(['completed', 'returned']);
    expect(nextStatuses(payout('completed'))).toEqual([]);
    expect(nextStatuses(payout('returned'))).toEqual([]);
  });

  it('of profit leads from pending to completed or returned only', () => {
    expect(nextStatuses(payout('pending', null))).toEqual(['completed', 'returned']);
  });

  it('says where the money goes', () => {
    expect(settlementText('completed', payout('pending'))).toBe(
      'Final: $112.40 counts as paid to Mirela-88. Nothing is sent by this, so send the coins first.',
    );
    expect(settlementText('returned', payout('pending'))).toBe(
      'Final: $112.40 goes back to Mirela-88’s winnings, to the cent. Nothing is sent.',
    );
    expect(settlementText('processing', payout('pending'))).toContain('stays reserved');
    expect(settlementText('returned', payout('pending', null))).toContain('goes back to the profit available');
    expect(settlementText('completed', payout('pending', null))).toContain('counts as withdrawn profit');
  });

  it('says on the button what it does', () => {
    expect(
      [null, 'processing', 'completed', 'returned'].map((status) =>
        settlementAction(status as never, payout('pending')),
      ),
    ).toEqual(['Update', 'Mark as processing', 'Mark $112.40 as paid', 'Return $112.40']);
  });

  it('sends notes trimmed, and a transaction only with what was paid', () => {
    expect(updateBody('completed', ' Sent 9:20 PM ', ' 6b0e ')).toEqual({
      status: 'completed',
      adminNotes: 'Sent 9:20 PM',
      txid: '6b0e',
    });
    expect(updateBody('returned', '  ', '6b0e')).toEqual({ status: 'returned' });
  });
});
