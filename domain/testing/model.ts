import type { LimitKind, LimitPeriod, PlayLimits } from '../../contracts/limits.js';
import type { CommandOf, LedgerCommand, Payout } from '../ledger-commands.js';
import { DAY_MS } from './model-calendar.js';
import { ModelGame, PAYOUT_WAIT_MS, THIRTY_DAYS_MS } from './model-game.js';
import { adjustmentOf, type Person, payoutOf } from './model-second-person.js';

/*
 * A second, naive implementation of the game, written from the decisions. It walks trees where the ledger uses an index,
 * keeps sums where the ledger folds events, and shares only the command types with it. Generated commands run on both.
 */

/** Refusal codes, or false where one does not apply. */
type Reasons = (string | false)[];

interface Rule<C> {
  /** Reasons to refuse the command; without any it must be accepted. */
  reasons?(model: ModelGame, command: C, at: number, person: Person): Reasons;
  /** Carries out an accepted command. @param freshId id of the purchase, deposit or withdrawal it creates */
  carryOut(model: ModelGame, command: C, at: number, freshId: string, person: Person): void;
}

const isCount = (value: number, most = 2 ** 53 - 1): boolean => Number.isInteger(value) && value > 0 && value <= most;

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
const payoutReasons = ({ amountCents }: Payout): Reasons => [
  !isCount(amountCents) && 'invalid-withdrawal-amount',
  amountCents < 1_000 && 'withdrawal-below-minimum',
];

const cellsOf = (limits: PlayLimits): (number | null)[] =>
  Object.values(limits).flatMap((row) => Object.values<number | null>(row));

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

/** An operator needs the power money, and does nothing for themselves. */
function powerReasons(model: ModelGame, command: LedgerCommand, { id, role }: Person): Reasons {
  if (role === 'admin') return [];
  const owner =
    command.type === 'UpdateWithdrawal'
      ? model.withdrawals.get(command.withdrawalId)?.gamer
      : command.type === 'AdjustBalance' && command.gamerId;
  return [!model.secondPerson.operators.has(id) && 'power-missing', owner === id && 'power-not-for-oneself'];
}

function updateRule<C extends CommandOf<'UpdateWithdrawal' | 'UpdateProfitWithdrawal'>>(ofProfit: boolean): Rule<C> {
  return {
    reasons(model, { withdrawalId, update: { status } }, at, person) {
      const withdrawal = model.withdrawals.get(withdrawalId);
      const isSettled = withdrawal?.status === 'completed' || withdrawal?.status === 'returned';
      return [
        ofProfit && status === 'processing' && 'invalid-withdrawal-status',
        status !== 'returned' && withdrawal !== undefined && at < withdrawal.heldUntil && 'withdrawal-held',
        withdrawal === undefined || (withdrawal.gamer === null) !== ofProfit
          ? 'withdrawal-not-found'
          : isSettled && 'withdrawal-settled',
        !ofProfit &&
          status === 'completed' &&
          withdrawal !== undefined &&
          model.secondPerson.isRefused(payoutOf(withdrawalId, withdrawal), person, at) &&
          'second-person-needed',
      ];
    },
    carryOut(model, { withdrawalId, update: { status } }, at, _, person) {
      const withdrawal = model.withdrawals.get(withdrawalId)!;
      const complete = () => {
        withdrawal.status = status;
        model.held['payouts:pending'] -= withdrawal.cents;
        model.held['world:crypto'] += withdrawal.cents;
      };
      if (status === 'completed' && ofProfit) return complete();
      if (status === 'completed')
        return model.secondPerson.act(payoutOf(withdrawalId, withdrawal), person, at, complete);
      withdrawal.status = status;
      if (status !== 'returned') return;
      model.reserve(withdrawal.gamer, -withdrawal.cents);
      model.secondPerson.end(({ key }) => key === withdrawalId);
    },
  };
}

const rules: { [C in LedgerCommand as C['type']]: Rule<C> } = {
  EnrolAdmin: {
    reasons: (model) => [model.admin !== null && 'gamer-already-enrolled'],
    carryOut(model, { gamerId }) {
      model.admin = gamerId;
      model.enrol(gamerId, null, null);
    },
  },
  EnrolGamer: {
    reasons: (model, { gamerId, sponsorId }) => [
      model.gamers.has(gamerId) && 'gamer-already-enrolled',
      sponsorId !== null && !model.gamers.has(sponsorId) && 'referral-code-not-found',
    ],
    carryOut: (model, { gamerId, sponsorId }) => model.enrol(gamerId, sponsorId, sponsorId ?? model.admin),
  },
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
    reasons(model, command, at, person) {
      const { admin, gamers } = model;
      const { gamerId, purchaseCents, winningsCents } = command;
      const { purchase, winnings } = gamers.get(gamerId) ?? { purchase: 0, winnings: 0 };
      const both = [purchaseCents, winningsCents];
      const isFine = both.every((cents) => cents === 0 || isCount(Math.abs(cents), 100_000_000));
      return [
        !gamers.has(gamerId) && 'gamer-not-found',
        gamerId === admin && 'admin-has-no-balances',
        (!isFine || both.every((cents) => cents === 0)) && 'invalid-adjustment',
        (purchase + purchaseCents < 0 || winnings + winningsCents < 0) && 'adjustment-below-zero',
        model.secondPerson.isRefused(adjustmentOf(command), person, at) && 'second-person-needed',
      ];
    },
    carryOut(model, command, at, _, person) {
      const { gamerId, purchaseCents, winningsCents } = command;
      model.secondPerson.act(adjustmentOf(command), person, at, () => {
        model.gamer(gamerId).purchase += purchaseCents;
        model.gamer(gamerId).winnings += winningsCents;
        model.held['house:adjustments'] -= purchaseCents + winningsCents;
      });
    },
  },
  SetDepositorStatus: {
    reasons: ({ admin, gamers }, { gamerId }) => [
      !gamers.has(gamerId) && 'gamer-not-found',
      gamerId === admin && 'admin-is-no-depositor',
    ],
    carryOut(model, { gamerId, isDepositor }, at) {
      model.gamer(gamerId).depositorUntil = isDepositor ? at + THIRTY_DAYS_MS : null;
    },
  },
  SetStaffStatus: {
    reasons: ({ admin, gamers, phase, lastBuyer }, { gamerId, isStaff }) => [
      !gamers.has(gamerId) && 'gamer-not-found',
      gamerId === admin && 'admin-role-is-fixed',
      isStaff && phase === 'live' && lastBuyer === gamerId && 'gamer-is-last-buyer',
    ],
    carryOut(model, { gamerId, isStaff, powers }) {
      model.gamer(gamerId).isStaff = isStaff;
      if (!isStaff || powers !== undefined)
        model.secondPerson.setPower(gamerId, isStaff && powers?.includes('money') === true);
    },
  },
  SetSecondPersonLimit: {
    reasons: (_, { aboveCents, aboveCentsPerDay }) => [
      ![aboveCents, aboveCentsPerDay].every((cents) => cents === null || cents === 0 || isCount(cents, 100_000_000)) &&
        'invalid-second-person-limit',
    ],
    carryOut: ({ secondPerson }, { type: _, ...limits }) => void Object.assign(secondPerson, limits),
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
  ExcludeGamer: {
    reasons(model, { gamerId, kind, days }, at) {
      const isOffered = (kind === 'time-out' ? [1, 7, 30, 42] : [184, 366, 731, 1_096, 1_827]).includes(days);
      const before = model.isExcluded(gamerId, at) ? model.exclusions.get(gamerId) : undefined;
      const isWeaker = before !== undefined && (at + days * DAY_MS <= before.end || (before.lasting && days < 100));
      return [
        model.isNobody(gamerId) && 'gamer-not-found',
        !isOffered && 'invalid-exclusion',
        isWeaker && 'exclusion-only-longer',
      ];
    },
    carryOut(model, { gamerId, kind, days }, at) {
      model.exclusions.set(gamerId, { lasting: kind === 'self-exclusion', end: at + days * DAY_MS });
    },
  },
  LiftExclusion: {
    reasons({ gamers, exclusions }, { gamerId }, at) {
      const { lasting = false, end = 0 } = exclusions.get(gamerId) ?? {};
      return [
        !gamers.has(gamerId) && 'gamer-not-found',
        !lasting && 'not-self-excluded',
        lasting && at < end && 'exclusion-not-over',
      ];
    },
    carryOut: (model, { gamerId }, at) => model.exclusions.set(gamerId, { lasting: false, end: at + DAY_MS }),
  },
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
  SetLimits: {
    reasons: (model, { gamerId, limits }) => [
      model.isNobody(gamerId) && 'gamer-not-found',
      !cellsOf(limits).every((limit) => limit === null || limit === 0 || isCount(limit, 100_000_000)) &&
        'invalid-limits',
    ],
    carryOut(model, { gamerId, limits: wanted }, at) {
      const before = model.limits.get(gamerId)?.limits;
      const lowest = (kind: LimitKind, period: LimitPeriod) => {
        const both = [before?.[kind][period] ?? null, wanted[kind][period]].filter((limit) => limit !== null);
        return both.length === 0 ? null : Math.min(...both);
      };
      const row = (kind: LimitKind) => ({
        ...{ day: lowest(kind, 'day'), week: lowest(kind, 'week'), month: lowest(kind, 'month') },
      });
      const limits = { spending: row('spending'), deposits: row('deposits'), loss: row('loss') };
      const isRaised = cellsOf(limits).join() !== cellsOf(wanted).join();
      model.limits.set(gamerId, { limits, wanted: isRaised ? wanted : null, confirmableFrom: at + DAY_MS });
      if (!isRaised && cellsOf(limits).every((limit) => limit === null)) model.limits.delete(gamerId);
    },
  },
  ConfirmLimits: {
    reasons({ gamers, limits }, { gamerId }, at) {
      const { wanted = null, confirmableFrom = 0 } = limits.get(gamerId) ?? {};
      return [
        !gamers.has(gamerId) && 'gamer-not-found',
        wanted === null && 'no-raise-requested',
        wanted !== null && at < confirmableFrom && 'raise-too-early',
      ];
    },
    carryOut(model, { gamerId }) {
      const { wanted } = model.limits.get(gamerId)!;
      model.limits.set(gamerId, { limits: wanted!, wanted: null, confirmableFrom: 0 });
      if (cellsOf(wanted!).every((limit) => limit === null)) model.limits.delete(gamerId);
    },
  },
  SetProtectionProfile: {
    reasons: (_, { limits }) => [
      !cellsOf(limits).every((limit) => limit === null || limit === 0 || isCount(limit, 100_000_000)) &&
        'invalid-limits',
    ],
    carryOut(model, { type: _, ...profile }) {
      model.profile = profile;
    },
  },
  RemoveGamer: {
    reasons: ({ admin, gamers, withdrawals, phase, lastBuyer }, { gamerId }) => [
      gamerId === admin && 'admin-cannot-be-removed',
      !gamers.has(gamerId) && 'gamer-not-found',
      [...withdrawals.values()].some(
        ({ gamer, status }) => gamer === gamerId && (status === 'pending' || status === 'processing'),
      ) && 'gamer-has-pending-withdrawal',
      phase === 'live' && lastBuyer === gamerId && 'gamer-is-last-buyer',
    ],
    carryOut: (model, { gamerId }) => model.remove(gamerId),
  },
};

export class Model extends ModelGame {
  /** Refusal codes that apply to a person's command; without any it must be accepted. */
  reasonsAgainst(command: LedgerCommand, at: number, person: Person): string[] {
    const reasons = (rules[command.type] as Rule<LedgerCommand>).reasons?.(this, command, at, person) ?? [];
    return [...powerReasons(this, command, person), ...reasons].filter((reason) => reason !== false);
  }

  /** Carries out an acceptable command. @param freshId id of the purchase, deposit or withdrawal it creates */
  carryOut(command: LedgerCommand, at: number, freshId: string, person: Person, hasEvents: boolean): void {
    (rules[command.type] as Rule<LedgerCommand>).carryOut(this, command, at, freshId, person);
    if (hasEvents) this.lastEventAt = at;
  }
}
