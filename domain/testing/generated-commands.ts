import fc from 'fast-check';
import { type HistoryEntry, metadataOf } from '../../audit/testing/histories.js';
import type { Actor } from '../../contracts/events/metadata.js';
import { POWERS } from '../../contracts/ids.js';
import { winningsAccount } from '../../contracts/ledger-accounts.js';
import { PLAN_REPEATS } from '../../contracts/limits.js';
import { localTimeAt } from '../../contracts/local-times.js';
import { splitDeposit } from '../../contracts/money.js';
import { LIMIT_KINDS, LIMIT_PERIODS, NO_LIMITS, type PlayLimits, PROFILE_NAMES } from '../../contracts/protection.js';
import { words } from '../../contracts/words.js';
import { decide } from '../ledger/decide.js';
import { evolve, type LedgerEntry } from '../ledger/evolve.js';
import type { CommandOf, LedgerCommand } from '../ledger/ledger-commands.js';
import { balanceOf, emptyLedger, type LedgerState } from '../ledger/ledger-state.js';
import { type Changes, directChanges } from '../ledger/undo-log.js';
import { ADMIN, actorOf } from './actors.js';
import { DAY, T0 } from './constants.js';

/* Generated commands follow from a few numbers and the state before: most are possible, and many are just not. */

type Step = (game: GeneratedGame, changes: Changes) => void;

/** Makes choices from generated numbers. */
class Choice {
  private used = 0;

  constructor(private readonly numbers: readonly number[]) {}

  below(count: number): number {
    this.used += 1;
    return (this.numbers[this.used % this.numbers.length] as number) % count;
  }

  /** True once in so many times. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  of<T>(first: T, ...others: readonly T[]): T {
    return [first, ...others][this.below(others.length + 1)] as T;
  }

  among<T>(all: readonly T[], otherwise: T): T {
    return all[this.below(Math.max(1, all.length))] ?? otherwise;
  }
}

export class GeneratedGame {
  readonly state: LedgerState = emptyLedger();
  readonly history: HistoryEntry[] = [];
  readonly entries: LedgerEntry[] = [];
  readonly commands: { atMs: number; by: string; command: LedgerCommand }[] = [];
  atMs = T0;
  private accepted = 0;

  submit(command: LedgerCommand, actor: Actor, changes: Changes = directChanges): void {
    const { atMs } = this;
    const number = this.commands.push({ atMs, by: actor.id, command });
    const decision = decide(this.state, command, { atMs, receivedAtMs: atMs, actor, freshId: `id${number}` });
    if (decision.refusal || decision.events.length === 0) return;
    const metadata = { ...metadataOf(this.accepted, atMs), actor };
    for (const event of decision.events) {
      const entry = { revision: this.entries.length, event, metadata };
      evolve(this.state, entry, changes);
      this.entries.push(entry);
      this.history.push({ event, atMs, command: this.accepted, actor });
    }
    this.accepted += 1;
  }
}

/** Rarely an operator in place of the admin. */
function someActorOf(command: LedgerCommand, { powers }: LedgerState, choice: Choice): Actor {
  const actor = actorOf(command);
  if (actor !== ADMIN || !choice.once(3)) return actor;
  const operator = choice.among([...powers.keys()], null);
  return operator === null ? ADMIN : { id: operator, role: 'operator' };
}

/** Any gamer, preferably one of the newest, who are deep in the matrix; rarely the admin or an unknown id. */
function someone({ gamers }: LedgerState, choice: Choice): string {
  if (choice.once(25)) return choice.of('nobody', 'admin');
  const others = [...gamers.keys()].slice(1);
  return choice.among(choice.once(3) ? others.slice(-4) : others, 'admin');
}

/** A gamer in this collection, rarely any other. */
const someoneIn = (ids: Iterable<string>, state: LedgerState, choice: Choice): string =>
  choice.once(6) ? someone(state, choice) : choice.among([...ids], someone(state, choice));

/** A gamer with at least so many cents in the account. */
function someoneWith(cents: number, name: 'purchase' | 'winnings', state: LedgerState, choice: Choice): string {
  const able = [...state.gamers.keys()].filter((id) => balanceOf(state, `gamer:${id}:${name}`) >= cents);
  return someoneIn(able, state, choice);
}

const excluded = (state: LedgerState, choice: Choice) => someoneIn(state.exclusions.keys(), state, choice);

/** The id of a new payment, rarely of a known one. */
const paymentId = ({ payments }: LedgerState, choice: Choice): string =>
  choice.once(6) ? choice.among([...payments], 'pay0') : `pay${payments.size}`;

/** The id of an open deposit or withdrawal, rarely of a settled one. */
const openOrSettled = (open: Iterable<string>, { settlements }: LedgerState, choice: Choice): string =>
  choice.once(8) ? choice.among([...settlements.keys()], 'none') : choice.among([...open], 'none');

/** The id of an open withdrawal of the profit or of winnings, rarely of any other. */
function withdrawalOf(profit: boolean, state: LedgerState, choice: Choice): string {
  const open = [...state.withdrawals]
    .filter(([, { gamerId }]) => (gamerId === null) === profit || choice.once(9))
    .map(([id]) => id);
  return openOrSettled(open, state, choice);
}

function quantity(choice: Choice): number {
  if (choice.once(15)) return choice.of(0, -1, 1.5, 10_000, 10_001, 2 ** 52);
  return choice.once(4) ? choice.of(100, 500, 1_000, 5_000) : 1 + choice.below(20);
}

function money(choice: Choice, hasFee: boolean) {
  const refused = { amountCents: choice.of(0, -1, 0.5, 100), feeCents: choice.of(-1, 0.5) };
  const total = 2 + choice.below(4_200);
  const paid = hasFee ? splitDeposit(total) : { amountCents: total, feeCents: 0 };
  return { ...(choice.once(8) ? refused : paid), cryptoType: 'BTC' as const };
}

const adjustedCents = (choice: Choice): number =>
  choice.once(12) ? choice.of(0.5, 100_000_001, 100_000_000) : choice.of(0, 0, choice.below(2_050) - 50, 400_000);

/** A part of what there is, or a cent too much. */
const request = (most: number, choice: Choice) => ({
  amountCents: choice.of(0, 999, 1_000, 1_000.5, Math.max(1_000, Math.ceil(most / 2)), most, most + 1),
  cryptoType: 'BTC' as const,
  walletAddress: '1A',
});

const update = (choice: Choice) => ({
  status: choice.of('processing' as const, 'completed' as const, 'returned' as const),
  adminNotes: choice.of(null, 'generated'),
  txid: choice.of(null, 'ab12'),
});

function limits(choice: Choice): PlayLimits {
  const limit = () => (choice.once(100) ? choice.of(0, 0.5) : choice.of(null, null, null, 30, 300, 3_000, 60_000));
  const row = () => Object.fromEntries(LIMIT_PERIODS.map((period) => [period, limit()]));
  return choice.once(4) ? NO_LIMITS : (Object.fromEntries(LIMIT_KINDS.map((kind) => [kind, row()])) as PlayLimits);
}

const seconds = (choice: Choice): number =>
  choice.once(3) ? choice.of(0, 1.5, 86_400, 86_401, 31_536_000, 31_536_001) : 1 + choice.below(300);

type Make<T extends LedgerCommand['type']> = (state: LedgerState, choice: Choice, atMs: number) => CommandFields<T>;
type CommandFields<T extends LedgerCommand['type']> = Omit<CommandOf<T>, 'type'>;

const MAKERS: { [T in LedgerCommand['type']]?: Make<T> } = {
  EnrolAdmin: () => ({ gamerId: 'usurper' }),
  EnrolGamer: (state, choice) => ({
    gamerId: choice.once(40) ? someone(state, choice) : `g${state.gamers.size}-${state.atMs}`,
    sponsorId: choice.once(8) ? null : someone(state, choice),
  }),
  StartGame: () => ({}),
  ForceStartLive: () => ({}),
  ResetGame: () => ({ reason: 'generated' }),
  ChangeTimers: (_, choice) => ({
    timers: {
      pregameDurationSeconds: seconds(choice),
      liveDurationSeconds: seconds(choice),
      downtimeDurationSeconds: seconds(choice),
      tokenExtensionSeconds: seconds(choice),
    },
  }),
  ScheduleGame: (_, choice, atMs) => {
    const timeZone = choice.of('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe');
    const localTime = localTimeAt(atMs + choice.of(-1, 1, 60, 60, 1_440, 400_000, 550_000) * 60_000, timeZone);
    return { localTime, timeZone, repeat: choice.of(...PLAN_REPEATS) };
  },
  CancelSchedule: ({ game: { plan } }, choice) => ({ startsAtMs: choice.of(0, plan?.startsAtMs ?? 1) }),
  AdvanceClock: ({ game: { endsAtEpochMs } }, choice, atMs) => ({
    lastAliveAtMs: choice.of(atMs, atMs, Math.min(atMs, (endsAtEpochMs ?? atMs) - choice.of(0, 1, 20_000, 500_000))),
  }),
  BuyTokens: (state, choice) => ({ buyerId: someoneWith(30, 'purchase', state, choice), quantity: quantity(choice) }),
  TransferWinnings: (state, choice) => {
    const gamerId = someoneWith(1, 'winnings', state, choice);
    const part = choice.of(-1, 0, 0.5, 1, 2);
    return { gamerId, amountCents: Math.ceil(balanceOf(state, winningsAccount(gamerId)) * part) };
  },
  AdjustBalance: (state, choice) => ({
    gamerId: someone(state, choice),
    purchaseCents: adjustedCents(choice),
    winningsCents: adjustedCents(choice),
    reason: 'generated',
  }),
  SetDepositorStatus: (state, choice) => ({ gamerId: someone(state, choice), isDepositor: !choice.once(5) }),
  SetStaffStatus: (state, choice) => {
    const gamerId = choice.once(2) ? someoneIn(state.staff, state, choice) : someone(state, choice);
    const powers = POWERS.slice(choice.below(3), 1 + choice.below(POWERS.length));
    return { gamerId, isStaff: choice.once(3), ...(choice.once(2) && { powers }) };
  },
  CreditDeposit: (state, choice) => ({
    paymentId: paymentId(state, choice),
    gamerId: someone(state, choice),
    money: money(choice, true),
  }),
  RecordDeposit: (state, choice) => {
    const purpose = choice.of('deposit' as const, 'tokens' as const);
    const gamerId = choice.once(4) ? null : someone(state, choice);
    const recorded = { gamerId, money: money(choice, purpose === 'deposit'), reason: 'late' as const };
    return { paymentId: paymentId(state, choice), purpose, ...recorded };
  },
  ApproveDeposit: (state, choice) => ({
    depositId: openOrSettled(state.deposits.keys(), state, choice),
    gamerId: choice.once(2) ? someone(state, choice) : null,
    ...(choice.once(2) && { reassignmentReason: 'generated' }),
  }),
  RejectDeposit: (state, choice) => ({
    depositId: openOrSettled(state.deposits.keys(), state, choice),
    adminNotes: choice.of(null, 'generated'),
  }),
  SettleInvoice: (state, choice) => {
    const count = quantity(choice);
    const { lastRoundId } = state.game;
    return {
      paymentId: paymentId(state, choice),
      gamerId: someone(state, choice),
      quantity: count,
      // Rarely priced by the terms of another round.
      amountCents: count * (choice.once(6) ? 31 : 30),
      roundId: choice.of(lastRoundId, lastRoundId, lastRoundId, lastRoundId - 1, null),
      cryptoType: 'BTC',
    };
  },
  RequestWithdrawal: (state, choice) => {
    const gamerId = someoneWith(1_000, 'winnings', state, choice);
    return { gamerId, request: request(balanceOf(state, winningsAccount(gamerId)), choice) };
  },
  CancelWithdrawal: (state, choice) => {
    const withdrawalId = openOrSettled(state.withdrawals.keys(), state, choice);
    const owner = state.withdrawals.get(withdrawalId)?.gamerId ?? 'nobody';
    return { withdrawalId, gamerId: choice.once(5) ? someone(state, choice) : owner };
  },
  UpdateWithdrawal: (state, choice) => ({ withdrawalId: withdrawalOf(false, state, choice), update: update(choice) }),
  OrderPayouts: (state, choice) => {
    const payable = [...state.withdrawals].filter(
      ([, { status, payout }]) => (status === 'processing' && payout === null) || choice.once(9),
    );
    const chosen = payable.slice(choice.below(2)).map(([withdrawalId, { failedPayouts }]) => ({
      withdrawalId,
      payoutId: `${withdrawalId}-${failedPayouts.length}`,
      amount: '0.02',
    }));
    return { batchId: String(state.atMs), payouts: choice.once(20) ? [...chosen, ...chosen] : chosen };
  },
  RecordPayoutOutcome: (state, choice) => {
    const ordered = [...state.withdrawals]
      .filter(([, { payout }]) => payout !== null || choice.once(9))
      .map(([id]) => id);
    const withdrawalId = choice.among(ordered, 'none');
    return {
      withdrawalId,
      payoutId: choice.once(6) ? 'other' : (state.withdrawals.get(withdrawalId)?.payout?.payoutId ?? 'none'),
      status: choice.of('finished', 'finished', 'failed', 'rejected'),
      paidAmount: choice.of('0.02', '0.0200', '0.019', null),
      txid: choice.of(null, 'ab12'),
    };
  },
  RequestProfitWithdrawal: (state, choice) => ({ request: request(balanceOf(state, 'house:profit'), choice) }),
  UpdateProfitWithdrawal: (state, choice) => ({
    withdrawalId: withdrawalOf(true, state, choice),
    update: update(choice),
  }),
  ExcludeGamer: (state, choice) => ({
    gamerId: someone(state, choice),
    kind: choice.of('time-out' as const, 'self-exclusion' as const),
    days: choice.of(1, 42, 184, 184, 366),
  }),
  ShareExclusion: (state, choice) => ({ gamerId: someone(state, choice), from: excluded(state, choice) }),
  LiftExclusion: (state, choice) => ({ gamerId: excluded(state, choice) }),
  ReleaseBalance: (state, choice) => ({ gamerId: excluded(state, choice) }),
  SetLimits: (state, choice) => ({ gamerId: someone(state, choice), limits: limits(choice) }),
  ConfirmLimits: (state, choice) => ({ gamerId: someoneIn(state.playLimits.keys(), state, choice) }),
  // Mostly without limits and obligations: they refuse most other commands.
  SetProtectionProfile: (_, choice) => ({
    profile: choice.of(...PROFILE_NAMES),
    limits: choice.once(4) ? limits(choice) : NO_LIMITS,
    mustChooseLimits: choice.once(5),
  }),
  RemoveGamer: (state, choice) => ({ gamerId: someone(state, choice) }),
  AcceptLoss: ({ losses }) => ({
    signed: { signedOrigin: 'log', signedSize: 900, signedRoot: String(losses.length).padStart(64, '0') },
    acceptedBy: 'Ada',
    reason: 'generated',
  }),
  SettlePayout: (_, choice) => ({
    payoutId: choice.of('1', '2', '3', '4', '5', '6'),
    adminNotes: choice.of('found', ' '),
  }),
  ReleasePayouts: (_, choice) => ({ paymentCount: 1, payoutCount: 0, reason: choice.of(null, 'by hand', '') }),
};

/** The types of commands by how often they come. */
const FREQUENCIES: [frequency: number, types: LedgerCommand['type'][]][] = [
  [20, words('BuyTokens')],
  [14, words('AdvanceClock')],
  [12, words('ConfirmLimits')],
  [6, words('EnrolGamer AdjustBalance')],
  [5, words('SetDepositorStatus SettleInvoice UpdateWithdrawal OrderPayouts RecordPayoutOutcome LiftExclusion')],
  [4, words('ForceStartLive ApproveDeposit RequestWithdrawal RequestProfitWithdrawal UpdateProfitWithdrawal')],
  [4, words('SetLimits')],
  [3, words('ScheduleGame CancelSchedule TransferWinnings CreditDeposit RecordDeposit ShareExclusion')],
  [3, words('ReleaseBalance SetProtectionProfile RemoveGamer')],
  [2, words('StartGame ChangeTimers SetStaffStatus ExcludeGamer SettlePayout ReleasePayouts')],
  [1, words('EnrolAdmin ResetGame RejectDeposit CancelWithdrawal AcceptLoss')],
];

/** Time stands still, advances, or comes close from both sides to the end of a phase, a status or a wait. */
function timeAfter(atMs: number, state: LedgerState, choice: Choice): number {
  const { endsAtEpochMs } = state.game;
  const nextOf = (aroundIt: number, times: (number | null | undefined)[]): number => {
    const ahead = times.filter((time) => typeof time === 'number' && time > atMs + 1) as number[];
    return ahead.length === 0 ? atMs : Math.min(...ahead) + aroundIt;
  };
  switch (choice.below(20)) {
    case 0:
    case 1:
      return endsAtEpochMs === null ? atMs : Math.max(atMs, endsAtEpochMs + choice.of(-1, 0, 1, 299, 300, 5_000));
    case 2:
      return nextOf(
        choice.of(0, 1),
        [...state.gamers.values()].map((place) => place.depositorUntilMs),
      );
    case 3:
      return nextOf(
        choice.of(-1, 0),
        [...state.playLimits.values()].map(({ higher }) => higher?.confirmableFromMs),
      );
    case 4:
    case 5:
      return nextOf(
        choice.of(-1, 0),
        [...state.exclusions.values()].map(({ untilMs }) => untilMs),
      );
    case 6:
      return atMs + choice.of(1, 7, 31) * DAY;
    case 7:
      return nextOf(choice.of(-1, 0, 60_000), [state.game.plan?.startsAtMs]);
    default:
      return choice.once(2) ? atMs : atMs + 1 + choice.below(20_000);
  }
}

const step = (type: LedgerCommand['type'], numbers: readonly number[]): Step => {
  const choice = new Choice(numbers);
  const make = MAKERS[type] as Make<LedgerCommand['type']>;
  return (game, changes) => {
    game.atMs = timeAfter(game.atMs, game.state, choice);
    const command = { type, ...make(game.state, choice, game.atMs) } as LedgerCommand;
    game.submit(command, someActorOf(command, game.state, choice), changes);
  };
};

const types = fc.constantFrom(
  ...FREQUENCIES.flatMap(([frequency, types]) => types.flatMap((type) => Array<typeof type>(frequency).fill(type))),
);
const numbers = fc.array(fc.noBias(fc.nat(1_000_000)), { minLength: 31, maxLength: 31 });

export const generatedBatches: fc.Arbitrary<Step[][]> = fc.array(
  fc.array(
    fc.tuple(types, numbers).map(([type, chosen]) => step(type, chosen)),
    { minLength: 1, maxLength: 8 },
  ),
  { maxLength: 22, size: 'max' },
);

/** A game with the admin, three gamers in a line, money and an open withdrawal of the last one, and a void round's jackpot. */
export function startedGame(): GeneratedGame {
  const game = new GeneratedGame();
  const gamer = (id: string): Actor => ({ id, role: 'gamer' });
  game.submit({ type: 'EnrolAdmin', gamerId: 'admin' }, ADMIN);
  game.submit({ type: 'EnrolGamer', gamerId: 'g1', sponsorId: null }, gamer('g1'));
  game.submit({ type: 'EnrolGamer', gamerId: 'g2', sponsorId: 'g1' }, gamer('g2'));
  game.submit({ type: 'EnrolGamer', gamerId: 'g3', sponsorId: 'g2' }, gamer('g3'));
  game.submit(
    { type: 'AdjustBalance', gamerId: 'g3', purchaseCents: 50_000, winningsCents: 5_000, reason: 'start' },
    ADMIN,
  );
  game.submit({ type: 'ForceStartLive' }, ADMIN);
  game.submit({ type: 'BuyTokens', buyerId: 'g3', quantity: 1_000 }, gamer('g3'));
  game.submit({ type: 'ResetGame', reason: 'start' }, ADMIN);
  const request = { amountCents: 1_000, cryptoType: 'BTC', walletAddress: '1A' } as const;
  game.submit({ type: 'RequestWithdrawal', gamerId: 'g3', request }, gamer('g3'));
  const update = { status: 'processing', adminNotes: null, txid: null } as const;
  for (const withdrawalId of game.state.withdrawals.keys())
    game.submit({ type: 'UpdateWithdrawal', withdrawalId, update }, ADMIN);
  return game;
}

/** Histories that the deciders produce from generated commands. */
export const generatedHistories: fc.Arbitrary<HistoryEntry[]> = generatedBatches.map((batches) => {
  const game = startedGame();
  for (const step of batches.flat()) step(game, directChanges);
  return game.history;
});
