/* Campaign 21: an operator shows different histories. The witness, a browser, the auditor and its second implementation find it. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonLine } from '../audit/cli/reports.js';
import { fsck } from '../audit/proof/fsck.js';
import { checkProof } from '../audit/proof/receipt.js';
import { headInFile, type LogReader, verify } from '../audit/replay/verify.js';
import { forged, honest } from '../audit/testing/forgeries.js';
import { logOf, proofOf } from '../audit/testing/proofs.js';
import { hasPython, runPython } from '../audit/testing/python.js';
import { HOUR_MS } from '../contracts/durations.js';
import type { Recorded, RecordedLedgerEvent } from '../contracts/events/recorded.js';
import { LEDGER_STREAM } from '../contracts/streams.js';
import { caseCount } from '../contracts/testing/case-count.js';
import { folderForTests } from '../contracts/testing/folder.js';
import { serveLog, type TestLog, type TestSite } from '../contracts/testing/test-log.js';
import { fetchHead, logPrefix, tileReader } from '../contracts/transparency/log-client.js';
import { parsePolicy } from '../contracts/transparency/policy.js';
import { parseSignedHead } from '../contracts/transparency/signed-head.js';
import { followSite } from '../embedded/witness/follow.js';
import { startWitness } from '../embedded/witness/start-witness.js';
import { witnessesOf } from '../web/src/features/receipts/check-proof.js';
import { checkLedger } from '../web/src/features/receipts/watch.js';
import { EMPTY_MEMORY, type LedgerMemory, withReceipt } from '../web/src/shared/ledger/ledger-memory.js';

const events = honest();
/** The number of events that the witness, the browser and everybody else saw before the operator changed anything. */
const SEEN = events.length - 10;

const folder = folderForTests('each');
let trueLog: TestLog;
let site: TestSite;
let witness: Awaited<ReturnType<typeof startWitness>>;
let policy: string;
let keptHead: string;
let keptHeadFile: string;
let browser: LedgerMemory;

beforeEach(async () => {
  trueLog = await logOf(events);
  site = await serveLog(await logOf(events.slice(0, SEEN)));
  const logKeys = [trueLog.signer.key.text];
  witness = await startWitness({ stateFile: join(folder(), 'witness.json'), logKeys });
  policy = `${witness.policyLine}\nquorum ${witness.policyLine.split(' ')[1]}`;
  const { status, text } = await sent(await trueLog.request(0, SEEN));
  expect(status).toBe(200);
  keptHead = (await trueLog.head(SEEN)) + text;
  keptHeadFile = join(folder(), 'kept-head');
  writeFileSync(keptHeadFile, keptHead);
  browser = await watched(EMPTY_MEMORY);
});

afterEach(async () => {
  await witness.close();
  site.close();
});

async function sent(body: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${witness.url}/add-checkpoint`, { method: 'POST', body });
  return { status: response.status, text: await response.text() };
}

/** The memory of a browser after it watched the site, starting with this memory. */
const watched = (memory: LedgerMemory, nowMs = HOUR_MS): Promise<LedgerMemory> =>
  checkLedger(memory, {
    nowMs,
    fetchHead: () => fetchHead(logPrefix(site.url)),
    fetchKeys: async () => ({ keys: [site.log.signer.key.text], losses: [] }),
    readTile: tileReader(logPrefix(site.url)),
  });

/** Another person's witness, which follows the site by itself. */
const followed = () =>
  followSite({
    witness: witness.witness,
    prefix: logPrefix(site.url),
    intervalMs: 5,
    patienceMs: 50,
    notify: () => undefined,
    warn: () => undefined,
    signal: new AbortController().signal,
  });

/** The findings of `audit verify --head` in a log. */
async function foundByAuditor(log: readonly RecordedLedgerEvent[]): Promise<string> {
  const reader: LogReader = {
    async *readStream(stream: string, { lastOnly = false } = {}) {
      if (stream === LEDGER_STREAM) yield* (lastOnly ? log.slice(-1) : log) as readonly Recorded[];
    },
    async *readAll() {},
  };
  const { findings } = await verify(reader, null, [headInFile('kept-head', keptHead)]);
  return findings.map(({ message }) => message).join('\n');
}

/** Runs the second implementation on a file with this content, and expects it to find this. */
function expectFoundByPython(message: string, content: string, program: string, ...options: string[]): void {
  if (!hasPython) return;
  const { verdicts, exitCode } = runPython(program, [content], () => options);
  expect([exitCode, JSON.stringify(verdicts)]).toEqual([1, expect.stringContaining(message)]);
}

const expectFoundInLog = (message: string, log: readonly RecordedLedgerEvent[]): void =>
  expectFoundByPython(message, log.map(jsonLine).join(''), 'verify.py', '--head', keptHeadFile);

/** Numbers of events that the operator drops, from the seen ones. */
const DROPPED = Array.from({ length: caseCount(4, SEEN) }, (_, at) => (at * 17) % SEEN);

it.each(DROPPED)('is found when it drops event %i and computes everything anew', async (dropped) => {
  const fork = forged((log) => log.toSpliced(dropped, 1));
  site.log = await logOf(fork);
  expect((await sent(await site.log.request(SEEN))).status).toBe(422);
  const bothHeads = new RegExp(`the proof does not join the two heads[^]*\n${SEEN}\n[^]*\n${fork.length}\n`);
  await expect(followed()).rejects.toThrow(bothHeads);
  expect((await watched(browser)).alarm).toMatchObject({ kind: 'contradiction', remembered: await trueLog.head(SEEN) });
  expect(await foundByAuditor(fork)).toContain('another root than the signed head');
  expectFoundInLog('has another root than a signed head', fork);
});

it('is found when it shows two browsers two logs', async () => {
  const fork = forged((log) => log.toSpliced(5, 1));
  // The second browser sees a log of the same size.
  const second = await logOf(fork.slice(0, SEEN));
  site.log = second;
  expect((await sent(await second.request(SEEN))).status).toBe(409);
  expect((await sent(await second.request(0))).status).toBe(409);
  await expect(followed()).rejects.toThrow('the heads of one size have different roots');
  // The second browser has seen no other, but no witness saw what it sees.
  const other = await watched(EMPTY_MEMORY);
  expect(other.alarm).toBeNull();
  const isEnough = async (note: string) =>
    (await witnessesOf(parseSignedHead(note), await parsePolicy(policy))).isEnough;
  expect([await isEnough(keptHead), await isEnough(other.head ?? '')]).toEqual([true, false]);
  // Both browsers find the contradiction as soon as they see the other log.
  expect((await watched(browser)).alarm?.kind).toBe('contradiction');
  site.log = await logOf(events.slice(0, SEEN));
  expect((await watched(other)).alarm?.kind).toBe('contradiction');
  // A proof from the second log is worth nothing.
  const bought = fork.findIndex(({ event }) => event.type === 'TokenPurchased');
  const proof = await proofOf(fork.slice(0, SEEN), bought);
  const trust = { key: second.signer.key.text, policy };
  expect((await checkProof(proof, trust)).findings).toEqual([expect.stringContaining('not enough for the policy')]);
  writeFileSync(join(folder(), 'policy'), policy);
  const options = ['--key', trust.key, '--policy', join(folder(), 'policy')];
  expectFoundByPython('too few witnesses cosigned the head', proof, 'receipt.py', ...options);
});

it('is found when it rolls back', async () => {
  const shorter = events.slice(0, SEEN - 7);
  site.log = await logOf(shorter);
  expect((await sent(await trueLog.request(SEEN - 9, SEEN - 7))).status).toBe(409);
  await expect(followed()).rejects.toThrow('404');
  expect((await watched(browser)).alarm?.kind).toBe('shorter');
  expect(await foundByAuditor(shorter)).toContain(`has ${SEEN}`);
  expectFoundInLog('is of a longer history', shorter);
});

it('is found when it withholds tiles, or an event that it confirmed', async () => {
  site.log = trueLog;
  site.isWithheld = (path) => path.startsWith('tile');
  expect((await sent(`old ${SEEN}\n\n${await trueLog.head()}`)).status).toBe(422);
  await expect(followed()).rejects.toThrow('404');
  await expect(watched(browser)).rejects.toThrow('was answered with 404');
  const lines: string[] = [];
  expect(await fsck(site.url, null, (line) => lines.push(line))).toBe(false);
  expect(lines.join('\n')).toContain('was answered with 404');
  // A purchase that no head covers after ten minutes.
  site.isWithheld = () => false;
  site.log = await logOf(events.slice(0, SEEN));
  const { id: eventId, revision, metadata } = events[SEEN + 1] as RecordedLedgerEvent;
  type Kept = Parameters<typeof withReceipt>[1];
  const receipt = { revision, eventId, chain: metadata.chain, receivedAtEpochMs: 0 } as Kept;
  expect((await watched(withReceipt(browser, receipt), 60_000)).alarm).toBeNull();
  expect((await watched(withReceipt(browser, receipt))).alarm?.kind).toBe('shorter');
  // An export that lacks an event.
  expect(await foundByAuditor(events.toSpliced(7, 1))).toContain('has a chain that does not follow');
  expectFoundInLog('has a number that does not follow', events.toSpliced(7, 1));
});
