import assert from 'node:assert/strict';
import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import { LedgerReplica } from '../../../src/ledger/ledger-replica.js';
import { mayChangeNothing, type SentCommand } from '../clients.js';
import type { Simulation } from '../simulation.js';

/** The events of each command, by its id. */
export function effectsOf(events: readonly RecordedLedgerEvent[]): Map<string, RecordedLedgerEvent[]> {
  const effects = new Map<string, RecordedLedgerEvent[]>();
  for (const recorded of events) {
    const { commandId } = recorded.metadata;
    const effect = effects.get(commandId) ?? [];
    effects.set(commandId, effect);
    effect.push(recorded);
  }
  return effects;
}

/** Every acknowledged command is in the log once, with the acknowledged events; a command that was only refused is not. */
export function checkExactlyOnce({ world, clients, nodes, retired }: Simulation): void {
  const effects = effectsOf(world.memory.ledger);
  for (const [commandId, effect] of effects) {
    const distinct = new Set(effect.map(({ event }) => `${event.type} ${Object.values(event.data)[0]}`));
    assert.equal(distinct.size, effect.length, `${commandId} took effect twice`);
    const [first, last] = [effect[0], effect.at(-1)] as [RecordedLedgerEvent, RecordedLedgerEvent];
    assert.equal(last.revision - first.revision, effect.length - 1, `${commandId} took effect twice`);
  }
  for (const sent of clients.sent) checkResponses(sent, effects.get(sent.commandId) ?? []);
  checkAnnounced(world.memory.ledger, nodes, retired);
}

function checkResponses({ command, commandId, attempts }: SentCommand, effect: readonly RecordedLedgerEvent[]): void {
  for (const { ended } of attempts) {
    assert.ok(ended === null || !('failed' in ended), `${commandId} failed: ${JSON.stringify(ended)}`);
    if (ended === null || !('done' in ended)) continue;
    const acknowledged = ended.done.events;
    if (acknowledged.length === 0) assert.ok(mayChangeNothing(command), `${commandId} was acknowledged without events`);
    else assert.deepEqual(idsOf(acknowledged), idsOf(effect), `${commandId} was acknowledged with other events`);
  }
  const isOnlyRefused = attempts.every(({ ended }) => ended !== null && 'refused' in ended);
  if (isOnlyRefused) assert.equal(effect.length, 0, `${commandId} was refused and took effect`);
}

/** Every node announced the log once and in order, and has the state that a replay gives. */
function checkAnnounced(
  events: readonly RecordedLedgerEvent[],
  nodes: Simulation['nodes'],
  retired: Simulation['nodes'],
) {
  const replayed = new LedgerReplica();
  for (const recorded of events) replayed.evolve(recorded);
  const ids = idsOf(events);
  for (const { name, replica, announced, startedFrom } of [...nodes, ...retired]) {
    const announcedIds = announced.map(({ recorded }) => recorded.id);
    const from = startedFrom + 1;
    assert.deepEqual(announcedIds, ids.slice(from, from + announcedIds.length), `${name} announced other events`);
    if (!nodes.some((node) => node.name === name)) continue;
    assert.equal(replica.revision, events.length - 1, `${name} is behind the log`);
    assert.deepEqual(replica.state, replayed.state, `${name} has another state`);
    assert.equal(replica.chain, replayed.chain, `${name} has another chain`);
  }
}

const idsOf = (events: readonly RecordedLedgerEvent[]): string[] => events.map(({ id }) => id);
