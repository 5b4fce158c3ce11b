import fc from 'fast-check';
import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { LEDGER_STREAM } from '../../contracts/streams.js';
import { CHAIN_START, chainAfter } from '../../domain/chain.js';
import { decide } from '../../domain/decide.js';
import { evolve } from '../../domain/evolve.js';
import { emptyLedger } from '../../domain/ledger-state.js';
import { T0 } from '../../domain/testing/events.js';
import { batchesOfSteps, opening, type Step } from '../../domain/testing/generated-steps.js';
import { Model } from '../../domain/testing/model.js';
import { directly } from '../../domain/undo-journal.js';

/** An event and the ledger time it happened at. */
export interface Happened {
  event: LedgerEvent;
  at: number;
}

/** Histories that the deciders produce from generated commands. */
export const histories: fc.Arbitrary<Happened[]> = batchesOfSteps.map((batches) =>
  happenedOf([...opening, ...batches.flat()]),
);

function happenedOf(steps: readonly Step[]): Happened[] {
  const model = new Model();
  const state = emptyLedger();
  const happened: Happened[] = [];
  const actor = { id: 'system', role: 'system' } as const;
  let at = T0;
  steps.forEach((step, index) => {
    at = step.timeAfter(at, model);
    const command = step.commandFor(model, at);
    const decision = decide(state, command, { at, receivedAt: at, actor, freshId: `p${index}` });
    if (decision.refusal) return;
    for (const event of decision.events) {
      evolve(state, { revision: happened.length, event, metadata: metadataOf(index, at) }, directly);
      happened.push({ event, at });
    }
    model.carryOut(command, at, `p${index}`, decision.events.length > 0);
  });
  return happened;
}

const metadataOf = (index: number, at: number) => ({
  commandId: `c${index}`,
  commandHash: CHAIN_START,
  actor: { id: 'system', role: 'system' } as const,
  at,
  schema: 3,
});

/** The history as a log holds it, with correct chains. A person with write access to the log could do the same. */
export function recorded(happened: readonly Happened[]): RecordedLedgerEvent[] {
  let chain = CHAIN_START;
  return happened.map(({ event, at }, revision) => {
    const id = `00000000-0000-4000-8000-${String(revision).padStart(12, '0')}`;
    const metadata = metadataOf(revision, at);
    chain = chainAfter(chain, id, event, metadata);
    return {
      id,
      stream: LEDGER_STREAM,
      revision,
      position: String(revision * 100),
      event,
      metadata: { ...metadata, chain },
    };
  });
}
