import fc from 'fast-check';
import { idOf, newestOf, quantity, someone, withFunds } from './generated-picks.js';
import { treasuryCommands } from './generated-treasury-steps.js';
import type { Model, ModelCommand } from './model.js';

/** One generated step: how the clock moves on, and a command that is made for the game as it then is. */
export interface Step {
  /** The ledger time of this step, given that of the step before. */
  timeAfter(at: number, model: Model): number;
  commandFor(model: Model, at: number): ModelCommand;
}

const cents = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -50, max: 2_000 }) },
  { weight: 3, arbitrary: fc.constantFrom(0, 400_000, 100_000_000) },
  { weight: 1, arbitrary: fc.constantFrom(0.5, 100_000_001) },
);
const seconds = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.constantFrom(0, 1.5, 86_400, 86_401, 31_536_000, 31_536_001),
);

export type MakeCommand = Step['commandFor'];
const commands: fc.WeightedArbitrary<MakeCommand>[] = [
  {
    weight: 6,
    arbitrary: fc.tuple(someone, fc.boolean()).map(
      ([pick, isLine]): MakeCommand =>
        (model) => {
          const sponsorId = isLine ? newestOf(model, 0) : pick % 5 === 0 ? null : idOf(model, pick);
          return {
            type: 'EnrolGamer',
            gamerId: pick % 40 === 39 ? idOf(model, pick) : `g${model.enrolled}`,
            sponsorId,
          };
        },
    ),
  },
  {
    weight: 20,
    arbitrary: fc.tuple(someone, quantity).map(
      ([pick, count]): MakeCommand =>
        (model) => {
          return { type: 'BuyTokens', buyerId: withFunds(model, pick), quantity: count };
        },
    ),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(someone, cents, cents).map(
      ([pick, purchaseCents, winningsCents]): MakeCommand =>
        (model) => {
          const gamerId = pick % 2 ? newestOf(model, pick >> 1) : idOf(model, pick);
          return { type: 'AdjustBalance', gamerId, purchaseCents, winningsCents, reason: 'generated' };
        },
    ),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(someone, fc.integer({ min: 0, max: 9 })).map(
      ([pick, of]): MakeCommand =>
        (model) => {
          return { type: 'SetDepositorStatus', gamerId: idOf(model, pick), isDepositor: of > 1 };
        },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(someone, fc.constantFrom(-1, 0, 0.5, 1, 2, 1e9)).map(
      ([pick, parts]): MakeCommand =>
        (model) => {
          const gamerId = idOf(model, pick);
          // Nothing, a half, all, twice as much as there is …
          return {
            type: 'TransferWinnings',
            gamerId,
            amountCents: Math.ceil((model.gamers.get(gamerId)?.winnings ?? 1) * parts),
          };
        },
    ),
  },
  {
    weight: 14,
    arbitrary: fc.constantFrom<number | null>(null, null, null, 0, 1, 20_000, 500_000).map(
      (outageMs): MakeCommand =>
        (model, at) => {
          return {
            type: 'AdvanceClock',
            lastAliveAtEpochMs: outageMs === null ? at : Math.min(at, model.endsAt - outageMs),
          };
        },
    ),
  },
  { weight: 2, arbitrary: fc.constant<MakeCommand>(() => ({ type: 'StartGame' })) },
  { weight: 4, arbitrary: fc.constant<MakeCommand>(() => ({ type: 'ForceStartLive' })) },
  { weight: 1, arbitrary: fc.constant<MakeCommand>(() => ({ type: 'ResetGame', reason: 'generated' })) },
  { weight: 1, arbitrary: fc.constant<MakeCommand>(() => ({ type: 'EnrolHouse', gamerId: 'usurper' })) },
  {
    weight: 2,
    arbitrary: fc.tuple(seconds, seconds, seconds, seconds).map(
      ([pregame, live, downtime, token]): MakeCommand =>
        () => {
          const timers = {
            pregameDurationSeconds: pregame,
            liveDurationSeconds: live,
            downtimeDurationSeconds: downtime,
            tokenExtensionSeconds: token,
          };
          return { type: 'ChangeTimers', timers };
        },
    ),
  },
  {
    weight: 3,
    arbitrary: someone.map(
      (pick): MakeCommand =>
        (model) => ({ type: 'RemoveGamer', gamerId: idOf(model, pick) }),
    ),
  },
  ...treasuryCommands,
];

/**
 * Time stands still, goes on a little, or comes close to the end of the phase, from either side and to it exactly; or to
 * the last millisecond of somebody's depositor status, and the first after it.
 */
const timeAfter = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Step['timeAfter']>((at) => at) },
  {
    weight: 6,
    arbitrary: fc.integer({ min: 1, max: 20_000 }).map(
      (ms): Step['timeAfter'] =>
        (at) =>
          at + ms,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(-1, 0, 1, 5_000).map((ms): Step['timeAfter'] => (at, model) => {
      return model.phase === 'idle' ? at : Math.max(at, model.endsAt + ms);
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0, 1).map((ms): Step['timeAfter'] => (at, model) => {
      const ends = [...model.gamers.values()]
        .map(({ depositorUntil }) => depositorUntil ?? 0)
        .filter((end) => end > at);
      return ends.length === 0 ? at : Math.min(...ends) + ms;
    }),
  },
);

const step: fc.Arbitrary<Step> = fc.record({ timeAfter, commandFor: fc.oneof(...commands) });

const at = (command: ModelCommand): Step => ({ timeAfter: (before) => before, commandFor: () => command });

/** The house, three in a line, the last with money, and a void round's jackpot: what every sequence starts from. */
export const opening: readonly Step[] = [
  at({ type: 'EnrolHouse', gamerId: 'house' }),
  at({ type: 'EnrolGamer', gamerId: 'g1', sponsorId: null }),
  at({ type: 'EnrolGamer', gamerId: 'g2', sponsorId: 'g1' }),
  at({ type: 'EnrolGamer', gamerId: 'g3', sponsorId: 'g2' }),
  at({ type: 'AdjustBalance', gamerId: 'g3', purchaseCents: 50_000, winningsCents: 5_000, reason: 'opening' }),
  at({ type: 'ForceStartLive' }),
  at({ type: 'BuyTokens', buyerId: 'g3', quantity: 1_000 }),
  at({ type: 'ResetGame', reason: 'opening' }),
];

/** Up to 100 commands, which are decided in batches of up to eight. */
export const batchesOfSteps: fc.Arbitrary<Step[][]> = fc
  .tuple(fc.array(step, { maxLength: 100, size: 'max' }), fc.infiniteStream(fc.integer({ min: 1, max: 8 })))
  .map(([steps, sizes]) => {
    const batches: Step[][] = [];
    for (let from = 0; from < steps.length; ) {
      const size = sizes.next().value as number;
      batches.push(steps.slice(from, from + size));
      from += size;
    }
    return batches;
  });
