import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { Pool } from 'pg';
import { folderForTests } from '../../../../contracts/testing/folder.js';
import { until } from '../../../../contracts/testing/until.js';
import { parseSignedHead } from '../../../../contracts/transparency/signed-head.js';
import {
  COSIGNATURE,
  cosignatureLine,
  createSigner,
  parseVerifierKey,
  toBase64,
  verifySignature,
} from '../../../../contracts/transparency/signed-note.js';
import { sha256, utf8 } from '../../../../contracts/transparency/tree.js';
import { startWitness } from '../../../../embedded/witness/start-witness.js';
import { SESSION_SECRET } from '../../../test/api-under-test.js';
import { serveLocally } from '../../../test/local-server.js';
import { WholeApplication } from '../../../test/whole-application.js';
import type { HealthReport } from '../health/readiness.js';
import { HeadSigner } from './head-signer.js';
import { LedgerSigners } from './ledger-signers.js';
import { Witnesses, witnessPolicy } from './witnesses.js';

const closing: (() => Promise<void>)[] = [];
const folder = folderForTests('all');
let honest: Awaited<ReturnType<typeof startWitness>>;
/** Whether the way to the honest witness is interrupted. */
let isClosed = false;

type Respond = (request: IncomingMessage, response: ServerResponse, note: string) => Promise<void> | void;

/** A server that receives add-checkpoint. `note` is the head in its body. */
async function serve(respond: Respond): Promise<string> {
  const { url, close } = await serveLocally(async (request, response) => {
    const body = await textOf(request);
    const note = body.slice(body.indexOf('\n\n') + 2);
    await respond(Object.assign(request, { body }), response, note);
  });
  closing.push(close);
  return url;
}

const cosigner = async (name: string, seed: number) => createSigner(name, COSIGNATURE, new Uint8Array(32).fill(seed));
const SECONDS = 1_800_000_000;
const textIn = (note: string): string => note.slice(0, note.indexOf('\n\n') + 1);

const application = WholeApplication.forTests(async () => {
  const signers = new LedgerSigners({ ledgerName: 'play.example/ledger', ledgerSigningSecrets: [SESSION_SECRET] });
  honest = await startWitness({ stateFile: join(folder(), 'state'), logKeys: await signers.keys() });
  const relay = await serve(async (request, response) => {
    if (isClosed) return void response.destroy();
    const fetched = await fetch(`${honest.url}/add-checkpoint`, {
      method: 'POST',
      body: (request as IncomingMessage & { body: string }).body,
    });
    response.writeHead(fetched.status, { 'content-type': fetched.headers.get('content-type') ?? '' });
    // One that repeats its line as often as a note may have signatures.
    response.end((await fetched.text()).repeat(fetched.status === 200 ? 64 : 1));
  });
  const bad: Record<string, Respond> = {
    nonsense: (_request, response) => void response.end('<!doctype html><p>It works!</p>'),
    otherHead: async (_request, response) =>
      void response.end(
        await cosignatureLine(await cosigner('otherHead', 5), 'play.example/ledger\n1\nAA==\n', SECONDS),
      ),
    unknownKey: async (_request, response, note) =>
      void response.end(await cosignatureLine(await cosigner('somebody', 6), textIn(note), SECONDS)),
    large: (_request, response) => void response.end('—'.repeat(3 * 2 ** 20)),
    silent: () => {},
    fresh: (_request, response) => void response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end('999999\n'),
    forger: async (_request, response) => void response.end(await mlDsaSignature(2)),
  };
  const lines = await Promise.all(
    Object.entries(bad).map(async ([name, respond], at) => {
      const { key } = await cosigner(name, name === 'otherHead' ? 5 : 20 + at);
      return `witness ${name} ${key.text} ${await serve(respond)}`;
    }),
  );
  const [, name, key] = honest.policyLine.split(' ');
  const policy = [`witness ${name} ${key} ${relay}`, ...lines, await mlDsaLine(), `quorum ${name}`];
  return { PUBLIC_ORIGIN: 'http://play.example', WITNESSES: policy.join('\\n') };
});
const alice = application.gamerForTests('alice');

afterAll(async () => {
  await honest?.close();
  for (const close of closing) await close();
});

const ML_DSA = 6;
const mlDsaKey = Uint8Array.of(ML_DSA, ...new Uint8Array(1_312).fill(7));
const mlDsaId = async () => Buffer.from((await sha256(utf8('pq\n'), mlDsaKey)).subarray(0, 4));
/** A witness of ML-DSA-44, whose lines are kept although nobody here can verify them. */
async function mlDsaLine(): Promise<string> {
  const url = await serve(async (_request, response) => void response.end(await mlDsaSignature(1)));
  return `witness pq pq+${(await mlDsaId()).toString('hex')}+${toBase64(mlDsaKey)} ${url}`;
}

const mlDsaSignature = async (byte: number): Promise<string> =>
  `— pq ${Buffer.concat([await mlDsaId(), Buffer.alloc(8 + 2_420, byte)]).toString('base64')}\n`;

let cents = 0;
/** Appends an event, and has the head signed. */
async function grow(): Promise<string> {
  cents += 1;
  await application.give(alice, cents);
  await application.api.app.get(HeadSigner).sign();
  return note('');
}

const note = async (which: '' | '/witnessed'): Promise<string> =>
  (await application.visitor().get<string>(`/log/checkpoint${which}`)).body;

const witnessed = (head: string): Promise<string> =>
  until(
    () => note('/witnessed'),
    (one) => textIn(one) === textIn(head),
  );

async function failures(): Promise<Map<string, number>> {
  const { body } = await application.visitor().get<string>('/api/metrics');
  const found = body.matchAll(/^ledger_witness_failures_total\{witness="(.+)"\} (\d+)$/gm);
  return new Map([...found].map(([, name = '', count]) => [name, Number(count)]));
}

it('publishes a head with its cosignature, whatever the other witnesses do', async () => {
  const head = await witnessed(await grow());
  const key = await parseVerifierKey(honest.policyLine.split(' ')[2] ?? '');
  expect(await verifySignature(parseSignedHead(head), key)).toBe('valid');
  const all = await until(failures, (counts) => counts.size === 7);
  expect(Object.fromEntries(all)).toMatchObject({ nonsense: expect.any(Number), silent: expect.any(Number) });
  const names = parseSignedHead(await note('/witnessed')).signatures.map(({ name }) => name);
  expect(await note('/witnessed')).toContain(await mlDsaSignature(1));
  expect(new Set(names)).toEqual(new Set(['play.example/ledger', key.name, 'pq']));
  expect(names).toHaveLength(3);
}, 60_000);

it('cosigns the newest head again once the witness is back', async () => {
  isClosed = true;
  const head = await grow();
  expect(textIn(await note('/witnessed'))).not.toBe(textIn(head));
  isClosed = false;
  const pool = application.api.app.get(Pool);
  await pool.query("UPDATE ledger.signed_heads SET signed_at = signed_at - interval '1 hour' WHERE NOT is_witnessed");
  await application.api.app.get(Witnesses).check();
  const { body } = await until(
    () => application.visitor().get<HealthReport>('/api/health'),
    (response) => response.body.checks.witnesses !== 'ok',
  );
  expect(body).toMatchObject({
    status: 'degraded',
    checks: { witnesses: expect.stringMatching(/^unwitnessed since 20/) },
  });
  await witnessed(head);
});

it('takes a policy or nothing for the setting', async () => {
  expect(await witnessPolicy('')).toBeNull();
  await expect(witnessPolicy('witness a b')).rejects.toThrow('line 1 of the policy');
});

it('refuses more witnesses than a note has place for', async () => {
  const seeds = Array.from({ length: 33 }, (_, at) => new Uint8Array(32).fill(at));
  const signers = await Promise.all(seeds.map((seed, at) => createSigner(`w${at}`, COSIGNATURE, seed)));
  const lines = signers.map(({ key }) => `witness ${key.name} ${key.text}`);
  const policy = (count: number) => witnessPolicy([...lines.slice(0, count), 'quorum w0'].join('\n'));
  expect((await policy(32))?.witnesses).toHaveLength(32);
  await expect(policy(33)).rejects.toThrow('more than 32 witnesses');
});
