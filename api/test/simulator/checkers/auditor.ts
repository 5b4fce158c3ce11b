import assert from 'node:assert/strict';
import { Auditor } from '../../../../audit/replay/auditor.js';
import type { Simulation } from '../simulation.js';

/** The auditor finds nothing: also that nobody bought what a gamer or the operator had forbidden on the other node. */
export function checkByAuditor({ world }: Simulation): void {
  const auditor = new Auditor();
  for (const recorded of world.memory.ledger) auditor.take(recorded);
  assert.deepEqual(auditor.findings, []);
}
