import type { CommandOf, Payout } from '../ledger-commands.js';
import { PAYOUT_WAIT_MS } from './model-game.js';
import { isCount, type Reasons, type Rule, type RulesFor } from './model-rule.js';

const payoutReasons = ({ amountCents }: Payout): Reasons => [
  !isCount(amountCents) && 'invalid-withdrawal-amount',
  amountCents < 1_000 && 'withdrawal-below-minimum',
];

function updateRule<C extends CommandOf<'UpdateWithdrawal' | 'UpdateProfitWithdrawal'>>(ofProfit: boolean): Rule<C> {
  return {
    reasons(model, { withdrawalId, update: { status } }, at) {
      const withdrawal = model.withdrawals.get(withdrawalId);
      const isSettled = withdrawal?.status === 'completed' || withdrawal?.status === 'returned';
      return [
        ofProfit && status === 'processing' && 'invalid-withdrawal-status',
        status !== 'returned' && withdrawal !== undefined && at < withdrawal.heldUntil && 'withdrawal-held',
        withdrawal === undefined || (withdrawal.gamer === null) !== ofProfit
          ? 'withdrawal-not-found'
          : isSettled && 'withdrawal-settled',
      ];
    },
    carryOut(model, { withdrawalId, update: { status } }) {
      const withdrawal = model.withdrawals.get(withdrawalId)!;
      withdrawal.status = status;
      if (status === 'returned') model.reserve(withdrawal.gamer, -withdrawal.cents);
      if (status !== 'completed') return;
      model.held['payouts:pending'] -= withdrawal.cents;
      model.held['world:crypto'] += withdrawal.cents;
    },
  };
}

/** The model's rules for winnings, withdrawals and adjustments. */
export const balanceRules: RulesFor<
  | 'TransferWinnings'
  | 'AdjustBalance'
  | 'RequestWithdrawal'
  | 'StopWithdrawal'
  | 'RequestProfitWithdrawal'
  | 'UpdateWithdrawal'
  | 'UpdateProfitWithdrawal'
  | 'ReleaseBalance'
> = {
  TransferWinnings: {
    reasons: (model, { gamerId, amountCents }, at) => [
      !model.gamers.has(gamerId) && 'gamer-not-found',
      model.isExcluded(gamerId, at) && 'gamer-excluded',
      !isCount(amountCents) && 'invalid-transfer-amount',
      amountCents > (model.gamers.get(gamerId)?.winnings ?? 0) && 'transfer-exceeds-winnings',
    ],
    carryOut(model, { gamerId, amountCents }) {
      model.gamer(gamerId).winnings -= amountCents;
      model.gamer(gamerId).purchase += amountCents;
    },
  },
  AdjustBalance: {
    reasons({ admin, gamers }, { gamerId, purchaseCents, winningsCents }) {
      const { purchase, winnings } = gamers.get(gamerId) ?? { purchase: 0, winnings: 0 };
      const both = [purchaseCents, winningsCents];
      const isFine = both.every((cents) => cents === 0 || isCount(Math.abs(cents), 100_000_000));
      return [
        !gamers.has(gamerId) && 'gamer-not-found',
        gamerId === admin && 'admin-has-no-balances',
        (!isFine || both.every((cents) => cents === 0)) && 'invalid-adjustment',
        (purchase + purchaseCents < 0 || winnings + winningsCents < 0) && 'adjustment-below-zero',
      ];
    },
    carryOut(model, { gamerId, purchaseCents, winningsCents }) {
      model.gamer(gamerId).purchase += purchaseCents;
      model.gamer(gamerId).winnings += winningsCents;
      model.held['house:adjustments'] -= purchaseCents + winningsCents;
    },
  },
  RequestWithdrawal: {
    reasons: (model, { gamerId, payout }) => [
      model.isNobody(gamerId) && 'gamer-not-found',
      model.gamers.get(gamerId)?.isStaff === true && 'staff-cannot-play',
      ...payoutReasons(payout),
      payout.amountCents > (model.gamers.get(gamerId)?.winnings ?? 0) && 'withdrawal-exceeds-winnings',
    ],
    carryOut(model, { gamerId, payout: { amountCents, addressDigest: address = '' } }, at, freshId) {
      const isPaid = [...model.withdrawals.values()].some(
        (one) => one.address === address && one.status === 'completed',
      );
      const heldUntil = isPaid ? 0 : at + PAYOUT_WAIT_MS;
      model.reserve(gamerId, amountCents);
      model.withdrawals.set(freshId, { gamer: gamerId, cents: amountCents, status: 'pending', address, heldUntil });
    },
  },
  StopWithdrawal: {
    reasons({ withdrawals }, { gamerId, withdrawalId }, at) {
      const withdrawal = withdrawals.get(withdrawalId);
      const isSettled = withdrawal?.status === 'completed' || withdrawal?.status === 'returned';
      return [
        isSettled && 'withdrawal-settled',
        withdrawal?.gamer !== gamerId && 'withdrawal-not-found',
        withdrawal !== undefined && at >= withdrawal.heldUntil && 'withdrawal-not-held',
      ];
    },
    carryOut(model, { withdrawalId }) {
      const withdrawal = model.withdrawals.get(withdrawalId)!;
      withdrawal.status = 'returned';
      model.reserve(withdrawal.gamer, -withdrawal.cents);
    },
  },
  RequestProfitWithdrawal: {
    reasons: ({ held }, { payout }) => [
      ...payoutReasons(payout),
      payout.amountCents > held['house:profit'] && 'profit-exceeds-available',
    ],
    carryOut(model, { payout: { amountCents } }, _, freshId) {
      model.reserve(null, amountCents);
      const withdrawal = { gamer: null, cents: amountCents, status: 'pending', address: '', heldUntil: 0 } as const;
      model.withdrawals.set(freshId, { ...withdrawal });
    },
  },
  UpdateWithdrawal: updateRule(false),
  UpdateProfitWithdrawal: updateRule(true),
  ReleaseBalance: {
    reasons: (model, { gamerId }, at) => [
      !model.gamers.has(gamerId) && 'gamer-not-found',
      !model.isExcluded(gamerId, at) && 'release-needs-exclusion',
      !model.gamers.get(gamerId)?.purchase && 'nothing-to-release',
    ],
    carryOut(model, { gamerId }) {
      const gamer = model.gamer(gamerId);
      gamer.winnings += gamer.purchase;
      gamer.purchase = 0;
    },
  },
};
