import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';

export const gamerId = (data: { gamerId: GamerId }): GamerId => data.gamerId;
export const none = (): null => null;
export const inCoin = (data: { amountCents: number; cryptoType: string }): string =>
  `${formatCents(data.amountCents)} in ${data.cryptoType}`;
export const balanceFact = (data: { purchaseBalanceCents: number }) => ({
  'Purchase balance after it': formatCents(data.purchaseBalanceCents),
});
