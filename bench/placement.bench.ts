import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';

import { CHAIN_START, chainAfter } from '../domain/chain.js';
import { decide } from '../domain/decide.js';
import { evolve } from '../domain/evolve.js';
import type { LedgerCommand } from '../domain/ledger-commands.js';
import { copyState, restorePart } from '../domain/ledger-snapshot.js';
import { emptyLedger, type LedgerState } from '../domain/ledger-state.js';
import { directly } from '../domain/undo-journal.js';
import { heading, ms, say, whole } from './report.js';

const MILESTONES_AFTER = 1_000;
const NOW = 1_760_000_000_000;
const compress = promisify(gzip);

/** Measures a placement in a small and in a large matrix, and the snapshot and memory of so many gamers. */
export async function benchPlacement(gamers: number): Promise<void> {
  heading(`Placement in the matrix, with ${whole(gamers)} gamers`);
  const state = emptyLedger();
  enrol(state, { type: 'EnrolAdmin', gamerId: nameOf(0) }, 0);
  // Half of the gamers have no sponsor; the sponsors of the others are spread over the enrolled gamers.
  const sponsorOf = (index: number) => (index % 2 === 0 ? null : nameOf(Math.floor(((index * 0.618_034) % 1) * index)));
  let next = 1;
  const enrolUpTo = (end: number): void => {
    for (; next < end; next += 1) {
      enrol(state, { type: 'EnrolGamer', gamerId: nameOf(next), sponsorId: sponsorOf(next) }, next);
    }
  };
  enrolUpTo(10);
  const early = timed(() => enrolUpTo(10 + MILESTONES_AFTER)) / MILESTONES_AFTER;
  const all = timed(() => enrolUpTo(gamers)) / (gamers - 10 - MILESTONES_AFTER);
  const atTheEnd = timed(() => enrolUpTo(gamers + MILESTONES_AFTER)) / MILESTONES_AFTER;
  say(`  from the 10th gamer on: ${micro(early)} each (code not yet compiled)`);
  say(`  all of them:            ${micro(all)} each`);
  say(`  from the ${whole(gamers)}th on: ${micro(atTheEnd)} each`);
  await measureSnapshot(state);
}

/** Decides and folds a command, and hashes the chain of an event of this size. */
function enrol(state: LedgerState, command: LedgerCommand, revision: number): void {
  const actor = { id: 'system', role: 'system' } as const;
  const decision = decide(state, command, { at: NOW, receivedAtMs: NOW, actor, freshId: '' });
  if (decision.refusal) throw new Error(`not enrolled: ${decision.refusal.code}`);
  for (const event of decision.events) {
    // One command id for all: this measures placement, not the memory of command ids.
    const metadata = { commandId: 'placement', commandHash: CHAIN_START, actor, at: NOW, schema: 1 };
    chainAfter(CHAIN_START, '00000000-0000-4000-8000-000000000000', event, metadata);
    evolve(state, { revision, event, metadata }, directly);
  }
}

async function measureSnapshot(state: LedgerState): Promise<void> {
  const startedMs = performance.now();
  const { parts, end } = copyState(state);
  const begunMs = performance.now();
  const chunks: Buffer[] = [];
  let longestMs = 0;
  for (let [from, texts] = [performance.now(), parts[Symbol.iterator]()]; ; from = performance.now()) {
    const { value } = texts.next();
    longestMs = Math.max(longestMs, performance.now() - from);
    if (value === undefined) break;
    chunks.push(await compress(value));
  }
  end();
  const packedMs = performance.now();
  const again = emptyLedger();
  for (const chunk of chunks) restorePart(again, gunzipSync(chunk).toString('utf8'));
  if (again.gamers.size !== state.gamers.size) throw new Error('the snapshot lost gamers');
  const [packMs, unpackMs] = [packedMs - startedMs, performance.now() - packedMs];
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  say(`  snapshot: ${(bytes / 2 ** 20).toFixed(1)} MiB in ${whole(chunks.length)} chunks, unpacked in ${ms(unpackMs)}`);
  say(
    `  packed in ${ms(packMs)}; others wait ${ms(begunMs - startedMs)} for its beginning, and ${ms(longestMs)} at most for a part`,
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
