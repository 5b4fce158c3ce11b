import { hash } from 'node:crypto';
import fc from 'fast-check';
import { POWERS } from '../../contracts/ids.js';
import { NO_LIMITS, PROFILE_NAMES } from '../../contracts/limits.js';
import { splitDeposit } from '../../contracts/money.js';
import type { LedgerCommand } from '../ledger-commands.js';
import type { Model } from './model.js';

/** Builds a command for the game as it is at that time. */
type MakeCommand = (model: Model, at: number) => LedgerCommand;

/** A generated step: how far the clock advances, and a command for the game as it is then. */
export interface Step {
  /** The ledger time of this step. @param at that of the step before */
  timeAfter(at: number, model: Model): number;
  commandFor: MakeCommand;
}

/** A command built from generated values, with its weight among the others. */
export const weighted = <T>(
  weight: number,
  values: fc.Arbitrary<T>,
  make: (values: T, model: Model, at: number) => LedgerCommand,
): fc.WeightedArbitrary<MakeCommand> => ({
  weight,
  arbitrary: values.map((generated) => (model, at) => make(generated, model, at)),
});

/** A number that `idOf` turns into the id of a gamer, sometimes of the admin, sometimes an unknown id. */
export const someone = fc.noBias(fc.nat(10_000));

export function idOf(model: Model, pick: number): string {
  if (pick % 25 === 24) return 'nobody';
  const [admin, ...others] = [...model.gamers.keys()];
  return (pick % 25 === 23 ? admin : others[Math.floor(pick / 25) % others.length]) ?? 'admin';
}

/** One of the four newest gamers: deep in the matrix, with many uplines. */
const newestOf = (model: Model, pick: number): string =>
  [...model.gamers.keys()].at(-1 - (pick % Math.min(4, model.gamers.size))) ?? 'nobody';

/** Mostly a gamer who can pay a token; else one of the newest, or anyone. */
function withFunds(model: Model, pick: number): string {
  const able = [...model.gamers].filter(([, { purchase }]) => purchase >= 30);
  if (pick % 4 === 0 || able.length === 0) return pick % 8 ? newestOf(model, pick >> 3) : idOf(model, pick >> 3);
  return able[(pick >> 2) % able.length]?.[0] ?? 'nobody';
}

const quantity = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 20 }) },
  { weight: 4, arbitrary: fc.constantFrom(100, 500, 1_000, 5_000) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 1.5, 10_000, 10_001, 2 ** 52) },
);

/** Mostly the id of a new payment, sometimes of a known one. */
const paymentOf = (model: Model, pick: number): string => {
  const { payments } = model;
  const fresh = `pay${payments.size}`;
  return pick % 4 === 0 ? ([...payments.keys()][(pick >> 2) % payments.size] ?? fresh) : fresh;
};

/** Mostly the id of a deposit or withdrawal that can still be settled, if there is one. */
export function oneOf(all: ReadonlyMap<string, { status: string }>, pick: number): string {
  const open = [...all].filter(([, { status }]) => status === 'pending' || status === 'processing');
  const among = pick % 5 === 0 || open.length === 0 ? [...all] : open;
  return among[(pick >> 2) % among.length]?.[0] ?? 'none';
}

/** Mostly a total that is split into amount and fee as every deposit is, sometimes an amount or fee that is refused. */
const totalCents = fc.integer({ min: 2, max: 4_200 });
const refusedMoney = fc.constantFrom(
  { amountCents: 0, feeCents: 0 },
  { amountCents: -1, feeCents: 0 },
  { amountCents: 0.5, feeCents: 0 },
  { amountCents: 100, feeCents: -1 },
  { amountCents: 100, feeCents: 0.5 },
);
const moneyOf = (split: (totalCents: number) => { amountCents: number; feeCents: number }) =>
  fc
    .oneof({ weight: 6, arbitrary: totalCents.map(split) }, { weight: 1, arbitrary: refusedMoney })
    .map((money) => ({ ...money, cryptoType: 'BTC' as const }));
const depositMoney = moneyOf(splitDeposit);
/** Tokens have no fee. */
const tokenMoney = moneyOf((total) => ({ amountCents: total, feeCents: 0 }));
const purposeAndMoney = fc.oneof(
  depositMoney.map((money) => ({ purpose: 'deposit' as const, money })),
  tokenMoney.map((money) => ({ purpose: 'tokens' as const, money })),
);
export const update = fc.record({
  status: fc.constantFrom('processing' as const, 'completed' as const, 'returned' as const),
  adminNotes: fc.constantFrom(null, 'generated'),
  txid: fc.constantFrom(null, 'ab12'),
});
/** Makes an amount: nothing, the minimum, a half of `most`, all, or a cent too many. */
const share = fc.constantFrom(
  () => 0,
  () => 999,
  () => 1_000,
  () => 1_000.5,
  (most: number) => Math.max(1_000, Math.ceil(most / 2)),
  (most: number) => most,
  (most: number) => most + 1,
);
export const payoutOf = (amountCents: number) => ({ amountCents, cryptoType: 'BTC' as const, walletAddress: '1A' });

const treasuryCommands: fc.WeightedArbitrary<MakeCommand>[] = [
  weighted(3, fc.tuple(someone, someone, depositMoney), ([pick, which, paid], model) => {
    return { type: 'CreditDeposit', paymentId: paymentOf(model, which), gamerId: idOf(model, pick), money: paid };
  }),
  weighted(3, fc.tuple(someone, someone, purposeAndMoney), ([pick, which, { purpose, money }], model) => {
    const gamerId = pick % 4 === 0 ? null : idOf(model, pick);
    return {
      type: 'RecordDeposit',
      paymentId: paymentOf(model, which),
      purpose,
      gamerId,
      money,
      reason: 'late',
    };
  }),
  weighted(3, fc.tuple(someone, someone), ([pick, which], model) => {
    const gamerId = pick % 3 === 0 ? idOf(model, pick) : null;
    const reason = pick % 2 === 0 ? { reassignmentReason: 'generated' } : {};
    return { type: 'ApproveDeposit', depositId: oneOf(model.deposits, which), gamerId, ...reason };
  }),
  weighted(1, someone, (which, model) => {
    const adminNotes = which % 2 ? 'generated' : null;
    return { type: 'RejectDeposit', depositId: oneOf(model.deposits, which), adminNotes };
  }),
  weighted(
    5,
    fc.tuple(someone, someone, quantity, fc.integer({ min: 0, max: 5 })),
    ([pick, which, count, of], model) => ({
      type: 'SettleInvoice',
      paymentId: paymentOf(model, which),
      gamerId: idOf(model, pick),
      quantity: count,
      // Sometimes priced by the terms of another round.
      amountCents: count * (of === 5 ? 31 : 30),
      // Mostly opened in the round that is open.
      roundId: of === 0 ? null : of === 1 ? model.round - 1 : model.round,
      cryptoType: 'BTC',
    }),
  ),
  weighted(4, fc.tuple(someone, share), ([pick, part], model) => {
    const rich = [...model.gamers].filter(([, { winnings }]) => winnings >= 1_000);
    const gamerId = pick % 4 === 0 ? idOf(model, pick) : (rich[pick % rich.length]?.[0] ?? idOf(model, pick));
    const most = model.gamers.get(gamerId)?.winnings ?? 0;
    const addressDigest = hash('sha256', `address ${pick % 2} of ${gamerId}`);
    return { type: 'RequestWithdrawal', gamerId, payout: { ...payoutOf(part(most)), addressDigest } };
  }),
  weighted(2, share, (part, model) => ({
    type: 'RequestProfitWithdrawal',
    payout: payoutOf(part(model.held['house:profit'])),
  })),
  weighted(1, fc.tuple(someone, someone), ([which, pick], model) => {
    const withdrawalId = oneOf(model.withdrawals, which);
    const owner = model.withdrawals.get(withdrawalId)?.gamer ?? null;
    return { type: 'StopWithdrawal', withdrawalId, gamerId: pick % 5 === 0 ? idOf(model, pick) : (owner ?? 'nobody') };
  }),
  ...(['UpdateWithdrawal', 'UpdateProfitWithdrawal'] as const).map((type) =>
    weighted(3, fc.tuple(someone, update), ([which, updated], model) => {
      const isRight = (gamer: string | null) => (gamer === null) === (type === 'UpdateProfitWithdrawal');
      const right = [...model.withdrawals].filter(([, { gamer }]) => isRight(gamer));
      const among = which % 7 === 0 ? model.withdrawals : new Map(right);
      return { type, withdrawalId: oneOf(among, which), update: updated };
    }),
  ),
];

const cents = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -50, max: 2_000 }) },
  { weight: 3, arbitrary: fc.constantFrom(0, 400_000, 100_000_000) },
  { weight: 1, arbitrary: fc.constantFrom(0.5, 100_000_001) },
);
const seconds = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.constantFrom(0, 1.5, 86_400, 86_401, 31_536_000, 31_536_001),
);

const exclusion = fc.constantFrom(
  { kind: 'time-out' as const, days: 1 },
  { kind: 'time-out' as const, days: 42 },
  { kind: 'time-out' as const, days: 184 },
  { kind: 'self-exclusion' as const, days: 184 },
  { kind: 'self-exclusion' as const, days: 366 },
  { kind: 'self-exclusion' as const, days: 1 },
);

const limit = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom<number | null>(null, null, null, 30, 300, 3_000, 60_000) },
  { weight: 1, arbitrary: fc.constantFrom<number | null>(0, 0.5) },
);
const ofPeriods = fc.record({ day: limit, week: limit, month: limit }, { noNullPrototype: true });
const limits = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ spending: ofPeriods, deposits: ofPeriods, loss: ofPeriods }, { noNullPrototype: true }),
  },
  { weight: 1, arbitrary: fc.constant(NO_LIMITS) },
);

/** Mostly none: an operator's limits and obligations refuse most other commands. */
const profile = fc.record({
  profile: fc.constantFrom(...PROFILE_NAMES),
  limits: fc.oneof({ weight: 3, arbitrary: fc.constant(NO_LIMITS) }, { weight: 1, arbitrary: limits }),
  mustChooseLimits: fc.integer({ min: 1, max: 5 }).map((one) => one === 5),
});

const commands: fc.WeightedArbitrary<MakeCommand>[] = [
  weighted(6, fc.tuple(someone, fc.boolean()), ([pick, isLine], model) => {
    const sponsorId = isLine ? newestOf(model, 0) : pick % 5 === 0 ? null : idOf(model, pick);
    return { type: 'EnrolGamer', gamerId: pick % 40 === 39 ? idOf(model, pick) : `g${model.enrolled}`, sponsorId };
  }),
  weighted(20, fc.tuple(someone, quantity), ([pick, count], model) => {
    return { type: 'BuyTokens', buyerId: withFunds(model, pick), quantity: count };
  }),
  weighted(6, fc.tuple(someone, cents, cents), ([pick, purchaseCents, winningsCents], model) => {
    const gamerId = pick % 2 ? newestOf(model, pick >> 1) : idOf(model, pick);
    return { type: 'AdjustBalance', gamerId, purchaseCents, winningsCents, reason: 'generated' };
  }),
  weighted(5, fc.tuple(someone, fc.integer({ min: 0, max: 9 })), ([pick, of], model) => {
    return { type: 'SetDepositorStatus', gamerId: idOf(model, pick), isDepositor: of > 1 };
  }),
  // Rarely on, so that most gamers go on to buy.
  weighted(2, fc.tuple(someone, fc.integer({ min: 0, max: 3 })), ([pick, of], model) => {
    const command = { type: 'SetStaffStatus', gamerId: idOf(model, pick), isStaff: of === 0 } as const;
    return pick % 3 === 0 ? command : { ...command, powers: POWERS.slice(1, 1 + (pick % 4)) };
  }),
  // Too little, a half, all, or too much.
  weighted(3, fc.tuple(someone, fc.constantFrom(-1, 0, 0.5, 1, 2, 1e9)), ([pick, parts], model) => {
    const gamerId = idOf(model, pick);
    const amountCents = Math.ceil((model.gamers.get(gamerId)?.winnings ?? 1) * parts);
    return { type: 'TransferWinnings', gamerId, amountCents };
  }),
  weighted(14, fc.constantFrom<number | null>(null, null, null, 0, 1, 20_000, 500_000), (outageMs, model, at) => {
    const lastAliveAtEpochMs = outageMs === null ? at : Math.min(at, model.endsAt - outageMs);
    return { type: 'AdvanceClock', lastAliveAtEpochMs };
  }),
  weighted(2, fc.constant(null), () => ({ type: 'StartGame' })),
  weighted(4, fc.constant(null), () => ({ type: 'ForceStartLive' })),
  weighted(1, fc.constant(null), () => ({ type: 'ResetGame', reason: 'generated' })),
  weighted(1, fc.constant(null), () => ({ type: 'EnrolAdmin', gamerId: 'usurper' })),
  weighted(2, fc.tuple(seconds, seconds, seconds, seconds), ([pregame, live, downtime, token]) => {
    const timers = {
      pregameDurationSeconds: pregame,
      liveDurationSeconds: live,
      downtimeDurationSeconds: downtime,
      tokenExtensionSeconds: token,
    };
    return { type: 'ChangeTimers', timers };
  }),
  weighted(4, fc.tuple(someone, limits), ([pick, wanted], model) => {
    return { type: 'SetLimits', gamerId: pick % 3 === 0 ? idOf(model, pick) : withFunds(model, pick), limits: wanted };
  }),
  weighted(5, someone, (pick, model) => {
    const waiting = [...model.limits].filter(([, { wanted }]) => wanted !== null);
    return { type: 'ConfirmLimits', gamerId: waiting[pick % waiting.length]?.[0] ?? idOf(model, pick) };
  }),
  weighted(3, profile, (chosen) => ({ type: 'SetProtectionProfile', ...chosen })),
  weighted(2, fc.tuple(someone, exclusion), ([pick, chosen], model) => {
    return { type: 'ExcludeGamer', gamerId: idOf(model, pick), ...chosen };
  }),
  weighted(5, fc.tuple(someone, fc.boolean()), ([pick, isLift], model) => {
    const able = [...model.exclusions].filter(([, { lasting }]) => lasting || !isLift);
    const gamerId = pick % 5 === 0 ? idOf(model, pick) : (able[pick % able.length]?.[0] ?? idOf(model, pick));
    return { type: isLift ? 'LiftExclusion' : 'ReleaseBalance', gamerId };
  }),
  weighted(3, someone, (pick, model) => ({ type: 'RemoveGamer', gamerId: idOf(model, pick) })),
  ...treasuryCommands,
];

const later = <T>(weight: number, values: fc.Arbitrary<T>, next: (value: T, at: number, model: Model) => number) => ({
  weight,
  arbitrary: values.map(
    (value): Step['timeAfter'] =>
      (at, model) =>
        next(value, at, model),
  ),
});

/**
 * Time stands still, advances a little, or comes close to the end of the phase, from both sides and exactly; or to the
 * last millisecond of a gamer's depositor status or exclusion, and the first one after it.
 */
const timeAfter = fc.oneof(
  later(6, fc.constant(0), (_, at) => at),
  later(6, fc.integer({ min: 1, max: 20_000 }), (ms, at) => at + ms),
  later(2, fc.constantFrom(-1, 0, 1, 299, 300, 5_000), (ms, at, { phase, endsAt }) =>
    phase === 'idle' ? at : Math.max(at, endsAt + ms),
  ),
  later(1, fc.constantFrom(0, 1), (ms, at, model) => {
    const ends = [...model.gamers.values()].map(({ depositorUntil }) => depositorUntil ?? 0).filter((end) => end > at);
    return ends.length === 0 ? at : Math.min(...ends) + ms;
  }),
  later(2, fc.constantFrom(-1, 0, 0), (ms, at, { limits: all }) => {
    const ends = [...all.values()].map(({ confirmableFrom }) => confirmableFrom + ms).filter((end) => end > at);
    return ends.length === 0 ? at : Math.min(...ends);
  }),
  // Into another day, week or month in New York.
  later(1, fc.constantFrom(1, 7, 31), (days, at) => at + days * 86_400_000),
  later(2, fc.tuple(fc.constantFrom(-1, 0), someone), ([ms, pick], at, { exclusions }) => {
    const ends = [...exclusions.values()].map(({ end }) => end + ms).filter((end) => end > at);
    return ends[pick % ends.length] ?? at;
  }),
);

const step: fc.Arbitrary<Step> = fc.record({
  timeAfter,
  commandFor: fc.oneof(...commands),
});

/** A step without time before it, by the admin. */
export const at = (command: LedgerCommand): Step => ({
  timeAfter: (before) => before,
  commandFor: () => command,
});

/** Every sequence starts with the admin, three gamers in a line, money for the last one, and a void round's jackpot. */
export const opening: readonly Step[] = [
  at({ type: 'EnrolAdmin', gamerId: 'admin' }),
  at({ type: 'EnrolGamer', gamerId: 'g1', sponsorId: null }),
  at({ type: 'EnrolGamer', gamerId: 'g2', sponsorId: 'g1' }),
  at({ type: 'EnrolGamer', gamerId: 'g3', sponsorId: 'g2' }),
  at({ type: 'AdjustBalance', gamerId: 'g3', purchaseCents: 50_000, winningsCents: 5_000, reason: 'opening' }),
  at({ type: 'ForceStartLive' }),
  at({ type: 'BuyTokens', buyerId: 'g3', quantity: 1_000 }),
  at({ type: 'ResetGame', reason: 'opening' }),
];

/** Up to 100 commands, decided in batches of up to eight. */
export const batchesOf = (one: fc.Arbitrary<Step>): fc.Arbitrary<Step[][]> =>
  fc
    .tuple(fc.array(one, { maxLength: 100, size: 'max' }), fc.infiniteStream(fc.integer({ min: 1, max: 8 })))
    .map(([steps, sizes]) => {
      const batches: Step[][] = [];
      for (let from = 0; from < steps.length; ) {
        const size = sizes.next().value as number;
        batches.push(steps.slice(from, from + size));
        from += size;
      }
      return batches;
    });

export const batchesOfSteps = batchesOf(step);
