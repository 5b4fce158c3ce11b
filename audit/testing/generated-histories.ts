import fc from 'fast-check';
import { decide } from '../../domain/decide.js';
import { evolve } from '../../domain/evolve.js';
import type { LedgerCommand } from '../../domain/ledger-commands.js';
import { emptyLedger } from '../../domain/ledger-state.js';
import { T0 } from '../../domain/testing/events.js';
import { batchesOfActs, openingOfActs } from '../../domain/testing/generated-acts.js';
import { batchesOfSteps, opening, type Step } from '../../domain/testing/generated-steps.js';
import { Model } from '../../domain/testing/model.js';
import { directly } from '../../domain/undo-journal.js';
import { type Happened, metadataOf } from './histories.js';

/** Histories that the deciders produce from generated commands: of the game, and of money that can take two persons. */
export const generatedHistories: fc.Arbitrary<Happened[]> = fc.oneof(
  { weight: 2, arbitrary: batchesOfSteps.map((batches) => happenedOf([...opening, ...batches.flat()])) },
  { weight: 1, arbitrary: batchesOfActs.map((batches) => happenedOf([...openingOfActs, ...batches.flat()])) },
);

/** Commands of which the generated steps say who sends them: `recorded` cannot know it. */
const BY_PERSONS: ReadonlySet<LedgerCommand['type']> = new Set([
  'AdjustBalance',
  'CancelWithdrawal',
  'UpdateWithdrawal',
] as const);

function happenedOf(steps: readonly Step[]): Happened[] {
  const model = new Model();
  const state = emptyLedger();
  const happened: Happened[] = [];
  let at = T0;
  steps.forEach((step, index) => {
    at = step.timeAfter(at, model);
    const command = step.commandFor(model, at);
    const actor = step.personFor(command, model);
    const context = { at, receivedAtMs: at, actor, freshId: `p${index}` };
    const decision = decide(state, command, context);
    if (decision.refusal) return;
    for (const event of decision.events) {
      evolve(state, { revision: happened.length, event, metadata: { ...metadataOf(index, at), actor } }, directly);
      happened.push({ event, at, command: index, ...(BY_PERSONS.has(command.type) && { actor }) });
    }
    model.carryOut(command, at, `p${index}`, actor, decision.events.length > 0);
  });
  return happened;
}
