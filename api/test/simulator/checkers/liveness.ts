import assert from 'node:assert/strict';
import type { Simulation } from '../simulation.js';

const PHASE_CHANGES_WITHIN_MS = 1_500;

/** Once all faults stopped, every command is answered, the round is decided, the tables have all events, and nothing is broken. */
export function checkLiveness({ clients, nodes, retired, overdueMs, workers, tables, world }: Simulation): void {
  for (const { name, broken } of [...nodes, ...retired]) assert.equal(broken, null, `${name} broke: ${broken?.stack}`);
  for (const { name, broken } of workers) assert.equal(broken, null, `${name} broke: ${broken?.stack}`);
  assert.deepEqual([nodes.length, workers.length], [2, 2]);
  for (const { name, isReady } of nodes) assert.ok(isReady, `${name} did not start`);
  for (const { commandId, hasResponse } of clients.sent) assert.ok(hasResponse, `${commandId} is not answered`);
  assert.ok(overdueMs < PHASE_CHANGES_WITHIN_MS, `a change of phase is ${overdueMs} ms overdue`);
  const last = world.memory.all.at(-1);
  assert.equal(tables.contents.checkpoint?.position, last?.position, 'the tables are behind the log');
  assert.equal(tables.notified.at(-1), last?.position, 'no node was notified of the last event in the tables');
}
