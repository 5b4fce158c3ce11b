import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import { type Actor, type LedgerMetadata, SYSTEM } from '../../contracts/events/metadata.js';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { currentVersionOf } from '../../contracts/events/schemas.js';
import { LEDGER_STREAM } from '../../contracts/streams.js';
import { CHAIN_START, chainAfter } from '../../domain/ledger/chain.js';
import { decide } from '../../domain/ledger/decide.js';
import { evolve } from '../../domain/ledger/evolve.js';
import type { LedgerCommand } from '../../domain/ledger/ledger-commands.js';
import { emptyLedger } from '../../domain/ledger/ledger-state.js';
import { directChanges } from '../../domain/ledger/undo-log.js';
import { actorOf } from '../../domain/testing/actors.js';

/** An event, the ledger time it happened at, and the number and actor of its command. */
export interface HistoryEntry {
  event: LedgerEvent;
  atMs: number;
  command: number;
  actor: Actor;
}

export const metadataOf = (index: number, atMs: number) => ({
  commandId: `c${index}`,
  commandHash: CHAIN_START,
  actor: SYSTEM,
  at: atMs,
  schema: 1,
});

/** The events that the deciders make of these commands, by their usual actors without another one. Throws when one is refused. */
export function historyOf(
  commands: readonly (readonly [atMs: number, command: LedgerCommand, freshId?: string, actor?: Actor])[],
): HistoryEntry[] {
  const state = emptyLedger();
  const history: HistoryEntry[] = [];
  commands.forEach(([atMs, command, freshId = `id${history.length}`, actor = actorOf(command)], index) => {
    const metadata = { ...metadataOf(index, atMs), actor };
    const context = { atMs, receivedAtMs: atMs, actor, freshId };
    const decision = decide(state, command, context);
    if (decision.refusal) throw new Error(`${command.type} is refused: ${decision.refusal.code}`);
    for (const event of decision.events) {
      evolve(state, { revision: history.length, event, metadata }, directChanges);
      history.push({ event, atMs, command: index, actor });
    }
  });
  return history;
}

/** The history as a log holds it, with correct chains. A person who can write the log could do the same. */
export const recorded = (history: readonly HistoryEntry[]): RecordedLedgerEvent[] =>
  rechained(
    history.map(({ event, atMs, command, actor }, revision) => {
      const id = `00000000-0000-4000-8000-${String(revision).padStart(12, '0')}`;
      const metadata = { ...metadataOf(command, atMs), actor, schema: currentVersionOf(event.type), chain: '' };
      return { id, stream: LEDGER_STREAM, revision, position: String(revision * 100), event, metadata };
    }),
  );

export function rechained(events: readonly RecordedLedgerEvent[]): RecordedLedgerEvent[] {
  let chain = CHAIN_START;
  return events.map((one) => {
    chain = chainAfter(chain, one.id, one.event, one.metadata);
    const metadata: LedgerMetadata = { ...one.metadata, chain };
    return { ...one, metadata };
  });
}
