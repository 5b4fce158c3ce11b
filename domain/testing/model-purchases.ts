import type { CommandOf } from '../ledger-commands.js';
import { type ModelGame, THIRTY_DAYS_MS } from './model-game.js';
import { isCount, type Reasons, type RulesFor } from './model-rule.js';

const quantityReasons = (quantity: number): Reasons => [
  !isCount(quantity) && 'invalid-quantity',
  quantity > 10_000 && 'too-many-tokens',
];
const moneyReasons = (
  model: ModelGame,
  { paymentId, money: { amountCents, feeCents } }: CommandOf<'CreditDeposit' | 'RecordDeposit'>,
): Reasons => [
  model.payments.has(paymentId) && 'payment-already-recorded',
  !(isCount(amountCents) && (feeCents === 0 || isCount(feeCents))) && 'invalid-deposit-amount',
];
const pendingReasons = (model: ModelGame, depositId: string): Reasons => {
  const deposit = model.deposits.get(depositId);
  return [!deposit && 'deposit-not-found', deposit !== undefined && deposit.status !== 'pending' && 'deposit-settled'];
};

const buyReasons = (
  { admin, gamers, phase, endsAt }: ModelGame,
  buyerId: string,
  quantity: number,
  at: number,
): Reasons => [
  buyerId === admin && 'admin-cannot-buy',
  !gamers.has(buyerId) && 'gamer-not-found',
  phase !== 'live' && `game-${phase}`,
  phase === 'live' && at >= endsAt && 'round-being-decided',
  quantity * 30 > (gamers.get(buyerId)?.purchase ?? 0) && 'insufficient-balance',
];

/** The model's rules for the game, purchases and payments. */
export const purchaseRules: RulesFor<
  | 'StartGame'
  | 'ForceStartLive'
  | 'ResetGame'
  | 'ChangeTimers'
  | 'AdvanceClock'
  | 'BuyTokens'
  | 'CreditDeposit'
  | 'RecordDeposit'
  | 'ApproveDeposit'
  | 'RejectDeposit'
  | 'SettleInvoice'
> = {
  StartGame: {
    reasons: (model) => [model.phase !== 'idle' && 'game-not-idle'],
    carryOut: (model, _, at) => model.openRound(at),
  },
  ForceStartLive: {
    reasons: (model) => [model.phase === 'live' && 'game-already-live'],
    carryOut(model, _, at) {
      if (model.phase !== 'pregame') model.openRound(at);
      model.phase = 'live';
      model.endsAt = at + 300_000;
    },
  },
  ResetGame: {
    reasons: ({ phase, endsAt, lastBuyer }, { reason }, at) => [
      phase === 'idle' && 'game-already-idle',
      phase === 'live' && lastBuyer !== null && reason === '' && 'reset-needs-reason',
      phase === 'live' && at >= endsAt && lastBuyer !== null && 'round-being-decided',
    ],
    carryOut(model) {
      model.phase = 'idle';
      model.lastBuyer = null;
    },
  },
  ChangeTimers: {
    reasons(_, { timers: { tokenExtensionSeconds, ...phases } }) {
      const isFine = Object.values(phases).every((seconds) => isCount(seconds, 365 * 86_400));
      return [!(isFine && isCount(tokenExtensionSeconds, 86_400)) && 'invalid-timers'];
    },
    carryOut(model, { timers }) {
      model.timers = timers;
    },
  },
  AdvanceClock: {
    carryOut: (model, { lastAliveAtEpochMs }, at) => model.advance(at, lastAliveAtEpochMs),
  },
  BuyTokens: {
    reasons: (model, { buyerId, quantity }, at) => [
      ...quantityReasons(quantity),
      model.isExcluded(buyerId, at) && 'gamer-excluded',
      model.gamers.get(buyerId)?.isStaff === true && 'staff-cannot-play',
      model.mustChoose(buyerId) && 'limits-required',
      model.breaksLimit(buyerId, ['spending', 'loss'], 30 * quantity, at) && 'limit-reached',
      ...buyReasons(model, buyerId, quantity, at),
    ],
    carryOut: (model, { buyerId, quantity }, at) => model.buy(buyerId, quantity, at),
  },
  CreditDeposit: {
    reasons: (model, command) => [
      ...moneyReasons(model, command),
      model.isNobody(command.gamerId) && 'gamer-not-found',
    ],
    carryOut(model, { paymentId, gamerId, money }, at, freshId) {
      if (model.breaksLimit(gamerId, ['deposits'], money.amountCents, at)) {
        const of = {
          type: 'RecordDeposit',
          paymentId,
          purpose: 'deposit',
          gamerId,
          money,
          reason: 'over-limit',
        } as const;
        model.payments.set(paymentId, null);
        model.deposits.set(freshId, { of, status: 'pending' });
        return;
      }
      model.credit(paymentId, gamerId, money, at);
      model.gamer(gamerId).depositorUntil = at + THIRTY_DAYS_MS;
    },
  },
  RecordDeposit: {
    reasons: moneyReasons,
    carryOut(model, command, _, freshId) {
      model.payments.set(command.paymentId, null);
      model.deposits.set(freshId, { of: command, status: 'pending' });
    },
  },
  ApproveDeposit: {
    reasons(model, { depositId, gamerId: assigned, reassignmentReason }, at) {
      const { gamerId: recorded = null, money } = model.deposits.get(depositId)?.of ?? {};
      const gamerId = assigned ?? recorded;
      return [
        ...pendingReasons(model, depositId),
        gamerId === null ? 'deposit-needs-gamer' : model.isNobody(gamerId) && 'gamer-not-found',
        model.breaksLimit(gamerId ?? '', ['deposits'], money?.amountCents ?? 0, at) && 'limit-reached',
        recorded !== null && gamerId !== recorded && !reassignmentReason && 'reassignment-needs-reason',
      ];
    },
    carryOut(model, { depositId, gamerId }, at) {
      const deposit = model.deposits.get(depositId)!;
      const { paymentId, money, purpose } = deposit.of;
      const to = gamerId ?? deposit.of.gamerId!;
      deposit.status = 'approved';
      model.credit(paymentId, to, money, at);
      if (purpose === 'deposit') model.gamer(to).depositorUntil = at + THIRTY_DAYS_MS;
    },
  },
  RejectDeposit: {
    reasons: (model, { depositId }) => pendingReasons(model, depositId),
    carryOut(model, { depositId }) {
      model.deposits.get(depositId)!.status = 'rejected';
    },
  },
  SettleInvoice: {
    reasons: (model, { paymentId, gamerId, quantity }) => [
      model.payments.has(paymentId) && 'payment-already-recorded',
      model.isNobody(gamerId) && 'gamer-not-found',
      ...quantityReasons(quantity),
    ],
    /** Credits the price to the balance, and at once spends it on tokens while the invoice's own round is live. */
    carryOut(model, { paymentId, gamerId, quantity, amountCents, roundId }, at) {
      const isOverLimit = model.breaksLimit(gamerId, ['spending', 'loss', 'deposits'], amountCents, at);
      model.credit(paymentId, gamerId, { amountCents, feeCents: 0 }, at);
      const isOfOpenRound = model.phase === 'live' && roundId === model.round && at < model.endsAt;
      const isBarred = model.isExcluded(gamerId, at) || model.gamer(gamerId).isStaff || model.mustChoose(gamerId);
      if (isBarred || isOverLimit) return;
      if (isOfOpenRound && amountCents === 30 * quantity) model.buy(gamerId, quantity, at);
    },
  },
};
