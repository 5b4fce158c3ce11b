import assert from 'node:assert/strict';
import type { Simulation } from '../simulation.js';

const PHASE_CHANGES_WITHIN_MS = 1_500;

/** Once all faults stopped, every command is answered, the round is decided, and no node is broken. */
export function checkLiveness({ clients, nodes, retired, overdueMs }: Simulation): void {
  for (const { name, broken } of [...nodes, ...retired]) assert.equal(broken, null, `${name} broke: ${broken?.stack}`);
  assert.equal(nodes.length, 2);
  for (const { name, isReady } of nodes) assert.ok(isReady, `${name} did not start`);
  for (const { commandId, isAnswered } of clients.sent) assert.ok(isAnswered, `${commandId} is not answered`);
  assert.ok(overdueMs < PHASE_CHANGES_WITHIN_MS, `a change of phase is ${overdueMs} ms overdue`);
}
