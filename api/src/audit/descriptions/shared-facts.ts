import type { LedgerEvents } from '../../../../contracts/events/ledger-events.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import type { NameOf } from '../../accounts/gamer-names.queries.js';

export const gamerId = (data: { gamerId: GamerId }): GamerId => data.gamerId;
export const none = (): null => null;
export const inCoin = (data: { amountCents: number; cryptoType: string }): string =>
  `${formatCents(data.amountCents)} in ${data.cryptoType}`;
export const balanceFact = (data: { purchaseBalanceCents: number }) => ({
  'Purchase balance after it': formatCents(data.purchaseBalanceCents),
});

type Act = LedgerEvents['BalanceAdjusted' | 'WithdrawalCompleted'];
export const requester = ({ requestedBy }: Act): (GamerId | null)[] => [requestedBy ?? null];
/** Older versions of the events do not say who requested the act. */
export const requesterFact = ({ requestedBy }: Act, nameOf: NameOf) => ({
  'Requested by': requestedBy === null ? 'nobody else' : requestedBy && nameOf(requestedBy),
});
export const byTwo = ({ requestedBy }: Act): string => (requestedBy ? ', as another person had requested' : '');
