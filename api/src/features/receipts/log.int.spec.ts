import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import type { LedgerMetadata } from '../../../../contracts/events/metadata.js';
import type { LedgerKeys } from '../../../../contracts/http/receipts.js';
import { LEDGER_STREAM } from '../../../../contracts/streams.js';
import { headText, parseSignedHead, type SignedHead } from '../../../../contracts/transparency/signed-head.js';
import {
  bytesOfHex,
  parseVerifierKey,
  toBase64,
  verifySignature,
} from '../../../../contracts/transparency/signed-note.js';
import {
  type Bytes,
  consistencyProof,
  isConsistent,
  leafHash,
  rootOf,
  type Tile,
  tilePath,
  tileWidth,
} from '../../../../contracts/transparency/tree.js';
import { words } from '../../../../contracts/words.js';
import { type RunningApi, startApi } from '../../../test/api-under-test.js';
import { Visitor } from '../../../test/visitor.js';
import { WholeApplication } from '../../../test/whole-application.js';
import { Ledger } from '../../ledger/ledger.js';
import type { HealthReport } from '../health/readiness.js';
import { HeadSigner } from './head-signer.js';
import { LedgerSigners } from './ledger-signers.js';

const application = WholeApplication.forTests();
const admin = application.adminForTests();
const alice = application.gamerForTests('alice');
let pool: Pool;
const chains: string[] = [];

beforeAll(async () => {
  pool = application.database;
  await grow(application.api, 560);
  for (const { metadata } of await application.eventsOf(LEDGER_STREAM)) chains.push((metadata as LedgerMetadata).chain);
});

/** Appends events, and has the node sign its head. */
async function grow({ app }: RunningApi, events: number): Promise<void> {
  const actor = { id: admin.id, role: 'admin' } as const;
  const change = { gamerId: alice.id, purchaseCents: 1, winningsCents: 0, reason: 'x' };
  const command = { type: 'AdjustBalance', ...change } as const;
  const appended = Array.from({ length: events }, (_, at) =>
    app.get(Ledger).execute(command, { commandId: `grow-${performance.now()}-${at}`, actor }),
  );
  await Promise.all(appended);
  await app.get(HeadSigner).sign();
}

async function fetched(path: string, node = application.api) {
  const response = await fetch(`${node.url}/log/${path}`);
  const { status, headers } = response;
  return { status, headers, bytes: new Uint8Array(await response.arrayBuffer()) };
}

const newest = async (node = application.api): Promise<SignedHead> =>
  parseSignedHead(Buffer.from((await fetched('checkpoint', node)).bytes).toString());

async function readTile(tile: Tile): Promise<Bytes> {
  const { status, bytes } = await fetched(tilePath(tile));
  if (status !== 200) throw new Error(`${tilePath(tile)}: ${status}`);
  return bytes;
}

/** The tile as the specification has it, from the chain hashes of the log. */
async function expectedTile({ level, index, width }: Tile): Promise<Buffer> {
  const entries = chains.slice(index * 256, index * 256 + width).map((chain) => bytesOfHex(chain));
  if (level === 'entries') return Buffer.concat(entries.flatMap((entry) => [Buffer.from([0, 32]), entry]));
  return Buffer.concat(await Promise.all(entries.map(leafHash)));
}

it('the head has the exact bytes of a signed note, and may be cached for seconds', async () => {
  const { status, headers, bytes } = await fetched('checkpoint');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(headers.get('cache-control')).toBe('public, max-age=2');
  expect(headers.get('content-length')).toBe(String(bytes.length));
  expect(headers.getSetCookie()).toEqual([]);
  const { body } = await application.visitor().get<LedgerKeys>('/api/ledger/key');
  const head = await newest();
  const text = headText(body.name, { size: chains.length, root: await rootOf(chains.length, readTile) });
  const [line] = head.signatures;
  expect(Buffer.from(bytes).toString()).toBe(`${text}\n${line?.text}`);
  expect(line?.text).toMatch(/^— 127\.0\.0\.1:3000\/ledger [A-Za-z0-9+/]{91}=\n$/);
  expect(await verifySignature(head, await parseVerifierKey(body.keys[0] ?? ''))).toBe('valid');
  expect(body).toMatchObject({ keys: [expect.any(String)], policy: null });
});

describe('tiles and bundles', () => {
  it('are served as immutable at every width that the log had', async () => {
    const { size } = await newest();
    for (const level of [0, 'entries'] as const) {
      for (let index = 0; index <= 2; index += 1) {
        const widest = tileWidth(level, index, size);
        for (let width = 1; width <= widest; width += 1) {
          if (width > 3 && width % 50 !== 0 && width < widest) continue;
          const tile = { level, index, width };
          const { status, headers, bytes } = await fetched(tilePath(tile));
          expect([tilePath(tile), status]).toEqual([tilePath(tile), 200]);
          expect(headers.get('content-type')).toBe('application/octet-stream');
          expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
          expect(headers.getSetCookie()).toEqual([]);
          expect(Buffer.from(bytes).equals(await expectedTile(tile))).toBe(true);
        }
      }
    }
    expect((await fetched('tile/1/000.p/2')).bytes).toHaveLength(64);
    expect((await fetched('tile/1/000.p/1')).bytes).toHaveLength(32);
  });

  it.each([
    ...words('tile/0/002 tile/0/002.p/255 tile/0/003 tile/1/000 tile/1/000.p/3 tile/2/000.p/1 tile/entries/002'),
    ...words('tile/0/000.p/01 tile/0/%30%30%30 tile/0/% tile/%ff/000 tile checkpoint/ checkpoint.txt'),
    ...['', 'checkpoint/witnessed'],
  ])('/log/%s is answered with an uncacheable 404, not with a page', async (path) => {
    const { status, headers, bytes } = await fetched(path);
    expect([status, Buffer.from(bytes).toString()]).toEqual([404, 'Not found\n']);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('of unsigned events are not served yet', async () => {
    const { size } = await newest();
    await admin.visitor.post('/api/admin/game/start', {});
    const next = { level: 0, index: Math.floor(size / 256), width: (size % 256) + 1 };
    expect((await fetched(tilePath(next))).status).toBe(404);
    await grow(application.api, 1);
    expect((await fetched(tilePath(next))).status).toBe(200);
  });
});

async function storedHeads(): Promise<SignedHead[]> {
  const { rows } = await pool.query<{ note: string }>('SELECT note FROM ledger.signed_heads ORDER BY size');
  return rows.map(({ note }) => parseSignedHead(note));
}

/** The health report, once the cached one has expired. */
async function health(): Promise<HealthReport> {
  await sleep(600);
  return (await application.visitor().get<HealthReport>('/api/health')).body;
}

it('two nodes sign one history, in which each head contains the one before', async () => {
  const other = await application.startAnotherNode();
  for (let round = 0; round < 3; round += 1) {
    await Promise.all([grow(application.api, 20), grow(other, 20)]);
    expect((await newest()).text).toBe((await newest(other)).text);
  }
  const heads = await storedHeads();
  expect(heads.length).toBeGreaterThan(3);
  for (const [at, head] of heads.entries()) {
    const before = heads[at - 1] ?? head;
    expect(await isConsistent(before, head, await consistencyProof(before.size, head.size, readTile))).toBe(true);
  }
});

it('a key that is replaced signs together with the new one', async () => {
  const secrets = {
    LEDGER_SIGNING_SECRET: 'another secret of tests',
    LEDGER_SIGNING_SECRET_BEFORE: 'a secret that only tests know',
  };
  const node = await startApi(application.stores, secrets);
  try {
    await node.app.get(HeadSigner).sign();
    const { keys } = (await new Visitor(node.url).get<LedgerKeys>('/api/ledger/key')).body;
    expect(keys[1]).toBe((await application.visitor().get<LedgerKeys>('/api/ledger/key')).body.keys[0]);
    const head = await newest();
    for (const key of keys) expect(await verifySignature(head, await parseVerifierKey(key))).toBe('valid');
  } finally {
    await node.close();
  }
});

describe('nothing is signed, and health says why', () => {
  const refused = async (reason: RegExp, status = 'degraded'): Promise<void> => {
    const before = await newest();
    await grow(application.api, 1);
    expect((await newest()).note).toBe(before.note);
    expect(await health()).toMatchObject({ status, checks: { signedHeads: expect.stringMatching(reason) } });
    const { body } = await application.visitor().get<string>('/api/metrics');
    expect(body).toMatch(/^ledger_signing_fault 1$/m);
  };
  const well = async (): Promise<void> => {
    const signer = application.api.app.get(HeadSigner);
    while (signer.fault !== null) await signer.sign();
    const { size } = await newest();
    await grow(application.api, 1);
    expect((await newest()).size).toBeGreaterThan(size);
    expect((await health()).checks.signedHeads).toBe('ok');
  };

  it('while a tile was altered', async () => {
    const flip = 'UPDATE read.log_tiles SET hashes = set_byte(hashes, 40, 255 - get_byte(hashes, 40)) WHERE level = 1';
    await pool.query(flip);
    await refused(/tiles .* are not those of the log/);
    await pool.query(flip);
    await well();
  });

  it('while the last signed head cannot be read', async () => {
    const { size } = await newest();
    await pool.query("INSERT INTO ledger.signed_heads VALUES ($1, 'no note', false)", [size + 1_000]);
    const signer = application.api.app.get(HeadSigner);
    for (let tries = 0; tries < 2; tries += 1) await expect(signer.sign()).rejects.toThrow('not a signed note');
    const { checks } = await health();
    await pool.query("DELETE FROM ledger.signed_heads WHERE note = 'no note'");
    expect(checks.signedHeads).toMatch(/^no head can be signed: .* not a signed note/);
    await well();
  });

  it.each([
    // Then nothing is decided or appended, either, also by a node that starts.
    ['another history', 0, /does not begin with the \d+ events/],
    ['a longer history', 1_000, /has \d+ events, but a head of \d+ events was signed/],
  ])('while the last signed head is of %s', async (_, more, reason) => {
    const { size } = await newest();
    const root = await leafHash(Buffer.from('another history'));
    const note = await application.api.app.get(LedgerSigners).sign({ size: size + more, root });
    const put = 'INSERT INTO ledger.signed_heads VALUES ($1, $2, false) ON CONFLICT (size) DO UPDATE SET note = $2';
    const kept = (await newest()).note;
    await pool.query(put, [size + more, note]);
    await refused(reason, 'unavailable');
    expect(note).toContain(toBase64(root));
    await expect(grow(application.api, 1)).rejects.toThrow(reason);
    const post = { gamerId: alice.id, message: 'Hello' };
    expect((await alice.visitor.post('/api/community/posts', post)).status).toBe(503);
    const another = await startApi(application.stores);
    expect((await new Visitor(another.url).get('/api/health')).status).toBe(more === 0 ? 200 : 503);
    await another.close();
    await pool.query(
      more === 0
        ? 'UPDATE ledger.signed_heads SET note = $2 WHERE size = $1'
        : 'DELETE FROM ledger.signed_heads WHERE size = $1 AND $2 <> note',
      [size + more, kept],
    );
    await well();
  });
});

it('a log of another name shows no head of the former one', async () => {
  await pool.query('UPDATE ledger.signed_heads SET is_witnessed = true');
  const path = '/log/checkpoint/witnessed';
  expect((await application.visitor().get(path)).status).toBe(200);
  const node = await application.startAnotherNode({ LEDGER_NAME: 'other.example/ledger' });
  await node.app.get(HeadSigner).sign();
  expect((await newest(node)).origin).toBe('other.example/ledger');
  expect((await new Visitor(node.url).get(path)).status).toBe(404);
});
