import fc from 'fast-check';
import type { LedgerCommand } from '../ledger-commands.js';
import {
  ADMIN,
  at,
  batchesOf,
  idOf,
  oneOf,
  opening,
  payoutOf,
  type Step,
  someone,
  update,
  weighted,
} from './generated-steps.js';
import type { Model } from './model.js';
import type { Person } from './model-second-person.js';

/** The admin, an operator with the power money, or sometimes a gamer who calls themselves one. */
function personOf(model: Model, pick: number): Person {
  if (pick % 40 === 39) return { id: idOf(model, pick), role: 'operator' };
  const operators = [...model.secondPerson.operators];
  const id = operators[(pick >> 2) % operators.length];
  return id === undefined || pick % 3 === 0 ? ADMIN : { id, role: 'operator' };
}

/** Low, because the amounts are. */
const limit = (...some: number[]) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(null, ...some) },
    { weight: 1, arbitrary: fc.constantFrom(-1, 0.5, 100_000_001) },
  );

const cents = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(-1_000, -1, 0, 1, 499, 500, 501, 1_000, 1_001) },
  { weight: 1, arbitrary: fc.constantFrom(-100_000, 50_000, 50_001, 100_000) },
);

const commands = [
  weighted(8, fc.tuple(someone, cents, cents), ([pick, purchaseCents, winningsCents], model) => ({
    ...{ type: 'AdjustBalance', gamerId: idOf(model, pick), purchaseCents, reason: 'generated' },
    winningsCents: pick % 2 ? winningsCents : 0,
  })),
  weighted(4, fc.tuple(someone, fc.constantFrom(1_000, 1_500)), ([pick, amountCents], model) => {
    const gamerId = idOf(model, pick);
    return {
      type: 'RequestWithdrawal',
      gamerId,
      payout: payoutOf(amountCents),
    };
  }),
  weighted(6, fc.tuple(someone, update), ([which, updated], model) => {
    return { type: 'UpdateWithdrawal', withdrawalId: oneOf(model.withdrawals, which), update: updated };
  }),
  // The act of the newest request, or of another one.
  weighted(8, fc.tuple(someone, cents), ([pick, winningsCents], model) => {
    const { requests } = model.secondPerson;
    const request = pick % 2 ? requests.at(-1) : requests[pick % requests.length];
    const other = { gamerId: idOf(model, pick), purchaseCents: 0, winningsCents, reason: 'generated' };
    return request?.command ?? { type: 'AdjustBalance', ...other };
  }),
  weighted(
    2,
    fc.tuple(limit(0, 500, 2_000, 50_000), limit(0, 1_000, 4_000, 200_000)),
    ([aboveCents, aboveCentsPerDay]) => ({ type: 'SetSecondPersonLimit', aboveCents, aboveCentsPerDay }),
  ),
  weighted(2, fc.tuple(someone, fc.integer({ min: 0, max: 5 })), ([pick, of], model) => {
    const operators = [...model.secondPerson.operators];
    const gamerId = of < 2 ? idOf(model, pick) : (operators[pick % operators.length] ?? idOf(model, pick));
    return { type: 'SetStaffStatus', gamerId, isStaff: of !== 5, powers: of === 4 ? ['game'] : ['money', 'game'] };
  }),
  weighted(1, someone, (pick, model) => ({ type: 'RemoveGamer', gamerId: idOf(model, pick) })),
];

/** Often at once, so that sums grow; past the wait of a withdrawal, the end of a request, or midnight in New York. */
const timeAfter = fc
  .oneof(
    { weight: 12, arbitrary: fc.constantFrom(0, 0, 1_000, 60_000) },
    { weight: 1, arbitrary: fc.constantFrom(6 * 3_600_000, 86_400_000, 86_400_001, 60 * 86_400_000) },
  )
  .map(
    (ms): Step['timeAfter'] =>
      (before) =>
        before + ms,
  );

const personFor = someone.map(
  (pick): Step['personFor'] =>
    ({ type }, model) =>
      type === 'AdjustBalance' || type === 'UpdateWithdrawal' ? personOf(model, pick) : ADMIN,
);

/** Steps with money that can take two persons, whose limits and powers change. */
export const batchesOfActs = batchesOf(fc.record({ timeAfter, commandFor: fc.oneof(...commands), personFor }));

const operator = (gamerId: string): LedgerCommand[] => [
  { type: 'EnrolGamer', gamerId, sponsorId: null },
  { type: 'SetStaffStatus', gamerId, isStaff: true, powers: ['money'] },
];

/** Before acts there are two operators, and winnings to be paid out. */
export const openingOfActs: readonly Step[] = [
  ...opening,
  at({ type: 'AdjustBalance', gamerId: 'g1', purchaseCents: 0, winningsCents: 20_000, reason: 'opening' }),
  at({ type: 'AdjustBalance', gamerId: 'g2', purchaseCents: 0, winningsCents: 20_000, reason: 'opening' }),
  ...[...operator('op1'), ...operator('op2')].map(at),
];
