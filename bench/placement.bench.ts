import { packState, unpackState } from '../api/src/ledger/snapshot.js';
import { CHAIN_START, chainAfter } from '../domain/chain.js';
import { decide } from '../domain/decide.js';
import { evolve } from '../domain/evolve.js';
import type { LedgerCommand } from '../domain/ledger-commands.js';
import { emptyLedger, type LedgerState } from '../domain/ledger-state.js';
import { directly } from '../domain/undo-journal.js';
import { heading, ms, say, whole } from './report.js';

const MILESTONES_AFTER = 1_000;
const NOW = 1_760_000_000_000;

/** What a place in the matrix costs, early and late, and what a node's memory of so many gamers weighs. */
export async function benchPlacement(gamers: number): Promise<void> {
  heading(`Placement in the matrix, with ${whole(gamers)} gamers`);
  const state = emptyLedger();
  enrol(state, { type: 'EnrolHouse', gamerId: nameOf(0) }, 0);
  const random = mulberry32(1);
  // Half of the gamers come without a sponsor, under the root; half through anyone who is there, each as likely.
  const sponsorOf = (index: number) => (random() < 0.5 ? null : nameOf(Math.floor(random() * index)));
  let next = 1;
  const enrolUpTo = (end: number): void => {
    for (; next < end; next += 1) {
      enrol(state, { type: 'EnrolGamer', gamerId: nameOf(next), sponsorId: sponsorOf(next) }, next);
    }
  };
  enrolUpTo(10);
  const early = timed(() => enrolUpTo(10 + MILESTONES_AFTER)) / MILESTONES_AFTER;
  const all = timed(() => enrolUpTo(gamers)) / (gamers - 10 - MILESTONES_AFTER);
  const late = timed(() => enrolUpTo(gamers + MILESTONES_AFTER)) / MILESTONES_AFTER;
  say(`  from the 10th gamer on: ${micro(early)} each (the code still cold)`);
  say(`  all of them:            ${micro(all)} each`);
  say(`  from the ${whole(gamers)}th on: ${micro(late)} each`);
  await weighSnapshot(state);
}

/** Decided and folded, as a command is; the chain is that of an event of this size. */
function enrol(state: LedgerState, command: LedgerCommand, revision: number): void {
  const actor = { id: 'system', role: 'system' } as const;
  const decision = decide(state, command, { at: NOW, actor, freshId: '' });
  if (decision.refusal) throw new Error(`not enrolled: ${decision.refusal.code}`);
  for (const event of decision.events) {
    // One command id for all: this measures places, not the memory of commands.
    const metadata = { commandId: 'placement', commandHash: CHAIN_START, actor, at: NOW, schema: 1 };
    chainAfter(CHAIN_START, '00000000-0000-4000-8000-000000000000', event, metadata);
    evolve(state, { revision, event, metadata }, directly);
  }
}

async function weighSnapshot(state: LedgerState): Promise<void> {
  const packedFrom = performance.now();
  const packed = await packState(state);
  const packMs = performance.now() - packedFrom;
  const unpackedFrom = performance.now();
  const again = await unpackState(packed);
  if (again.gamers.size !== state.gamers.size) throw new Error('the snapshot lost gamers');
  say(
    `  snapshot: ${(packed.length / 2 ** 20).toFixed(1)} MiB, packed in ${ms(packMs)}, unpacked in ${ms(performance.now() - unpackedFrom)}`,
  );
  say(`  resident memory of this process: ${whole(process.memoryUsage().rss / 2 ** 20)} MiB`);
}

const nameOf = (index: number): string => index.toString(36).padStart(12, '0');
const micro = (milliseconds: number): string => `${(milliseconds * 1000).toFixed(1)} µs`;

function timed(work: () => void): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

/** A small generator with a seed: every run places the same gamers under the same sponsors. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
