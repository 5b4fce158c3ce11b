import type fc from 'fast-check';
import { decide } from '../../domain/decide.js';
import { evolve } from '../../domain/evolve.js';
import { emptyLedger } from '../../domain/ledger-state.js';
import { T0 } from '../../domain/testing/events.js';
import { batchesOfSteps, opening, type Step } from '../../domain/testing/generated-steps.js';
import { Model } from '../../domain/testing/model.js';
import { PAYOUT_WAIT_MS } from '../../domain/testing/model-game.js';
import { directly } from '../../domain/undo-journal.js';
import { type Happened, metadataOf } from './histories.js';

/** Histories that the deciders produce from generated commands. */
export const generatedHistories: fc.Arbitrary<Happened[]> = batchesOfSteps.map((batches) =>
  happenedOf([...opening, ...batches.flat()]),
);

const ADMIN = { id: 'admin', role: 'admin' } as const;

function happenedOf(steps: readonly Step[]): Happened[] {
  const model = new Model();
  const state = emptyLedger();
  const happened: Happened[] = [];
  let at = T0;
  steps.forEach((step, index) => {
    at = step.timeAfter(at, model);
    const command = step.commandFor(model, at);
    const context = { at, receivedAtMs: at, actor: ADMIN, freshId: `p${index}`, payoutWaitMs: PAYOUT_WAIT_MS };
    const decision = decide(state, command, context);
    if (decision.refusal) return;
    for (const event of decision.events) {
      const metadata = { ...metadataOf(index, at), actor: ADMIN };
      evolve(state, { revision: happened.length, event, metadata }, directly);
      happened.push({ event, at, command: index });
    }
    model.carryOut(command, at, `p${index}`, decision.events.length > 0);
  });
  return happened;
}
