import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTests } from '../../contracts/testing/folder.js';
import { serveLog, TestLog, type TestSite } from '../../contracts/testing/test-log.js';
import { logPrefix } from '../../contracts/transparency/log-client.js';
import { cosignersOf, parsePolicy } from '../../contracts/transparency/policy.js';
import { createSigner, ED25519, parseNote, signatureLine } from '../../contracts/transparency/signed-note.js';
import { replaceFile } from '../shared/replace-file.js';
import { followSite } from './follow.js';
import { startWitness } from './start-witness.js';

jest.mock('../shared/replace-file.js', () => {
  const actual = jest.requireActual<{ replaceFile: typeof replaceFile }>('../shared/replace-file.js');
  return { replaceFile: jest.fn(actual.replaceFile) };
});

const folder = folderForTests('each');
let log: TestLog;
let fork: TestLog;
let witness: Awaited<ReturnType<typeof startWitness>>;

beforeAll(async () => {
  log = await TestLog.create(300);
  fork = await log.fork(3);
  fork.add();
});

beforeEach(async () => {
  witness = await start();
});

afterEach(() => witness.close());

/** The key that replaces the log's key. */
const nextSigner = createSigner('play.example/ledger', ED25519, new Uint8Array(32).fill(5));

const start = async () =>
  startWitness({
    stateFile: join(folder(), 'witness.json'),
    logKeys: [log.signer.key.text, (await nextSigner).key.text],
    now: () => 1_800_000_000_900,
  });

async function send(body: string | Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(`${witness.url}/add-checkpoint`, { method: 'POST', body, headers });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

const isCosigned = async (head: string, line: string) => {
  const policy = await parsePolicy(`${witness.policyLine}\nquorum ${witness.policyLine.split(' ')[1]}`);
  return policy.hasQuorum(await cosignersOf(parseNote(head + line), policy));
};

describe('add-checkpoint', () => {
  it('cosigns the first head and those that extend it, in seconds, whatever the body is called', async () => {
    for (const [oldSize, size, called] of [
      [0, 7, 'application/json'],
      [7, 7, 'text/plain'],
      [7, 256, 'nonsense'],
      [256, 300, 'application/x-www-form-urlencoded'],
    ] as const) {
      const { status, type, text } = await send(await log.request(oldSize, size), { 'content-type': called });
      expect([status, type]).toEqual([200, 'text/plain; charset=utf-8']);
      expect(await isCosigned(await log.head(size), text)).toBe(true);
      const [line] = parseNote(`x\n\n${text}`).signatures;
      expect(Buffer.from(line?.signature ?? []).readBigUInt64BE()).toBe(1_800_000_000n);
    }
  });

  const requestWithProof = async (lines: string) => (await log.request(7)).replace('\n\n', `${lines}\n\n`);
  const bytesOf = async (oldSize: number) => Buffer.from(await log.request(oldSize));
  const notUtf8 = Buffer.from('â\x80\x94 a\xff QUFBQUFB\n', 'latin1');

  const signedByAnother = async () => {
    const other = await TestLog.create(300, 'other.example/ledger');
    return (await log.head()).replace(/— .*\n/, (await other.head()).replace(/[\s\S]*\n— other/, '— play'));
  };

  const signedTwice = async (text?: string) => {
    const head = await log.head();
    return head + (await signatureLine(await nextSigner, text ?? parseNote(head).text));
  };

  it('cosigns a head that the log signed with its next key, too', async () => {
    expect((await send(await log.request(0, 300, await signedTwice()))).status).toBe(200);
  });

  it.each<[string, number, () => Promise<string | Buffer> | string]>([
    ['of an unknown log', 404, async () => (await TestLog.create(9, 'other.example/ledger')).request(0)],
    ['that nobody signed whom it knows', 403, async () => log.request(7, 300, await signedByAnother())],
    ['whose signature is of another text', 403, async () => (await log.request(7)).replace('\n300\n', '\n299\n')],
    ['whose second signature is of another text', 403, async () => log.request(7, 300, await signedTwice('another'))],
    ['below the old size', 400, async () => (await log.request(7, 7)).replace('old 7', 'old 8')],
    ['that forks before the last one', 422, () => fork.request(7)],
    ['without a proof', 422, async () => (await log.request(7)).replace(/^(old 7\n)[\s\S]*?\n\n/, '$1\n')],
    ['with a proof of another head', 422, async () => log.request(7, 300, await log.head(299))],
    ['with a proof between equal sizes', 422, async () => (await log.request(6, 7)).replace('old 6', 'old 7')],
    ['without a line of the old size', 400, () => log.head()],
    ['with a superfluous zero', 400, async () => (await log.request(7)).replace('old 7', 'old 07')],
    ['with 64 lines', 400, () => requestWithProof(`\n${'A'.repeat(43)}=`.repeat(64))],
    ['with a short hash', 400, () => requestWithProof('\nAAAA')],
    ['with a hash in another base64', 400, () => requestWithProof(`\n${'-'.repeat(43)}=`)],
    ['with carriage returns', 400, async () => (await log.request(7)).replaceAll('\n', '\r\n')],
    ['of nothing', 400, () => ''],
    ['beside a stranger’s signature that is not text', 400, async () => Buffer.concat([await bytesOf(7), notUtf8])],
    ['of a megabyte', 413, () => 'old 0\n'.repeat(200_000)],
  ])('refuses a head %s: %i', async (_, status, body) => {
    await send(await log.request(0, 7));
    expect(await send(await body())).toMatchObject({ status, type: 'text/plain; charset=utf-8' });
    expect(witness.witness.newest(log.signer.key.name)?.size).toBe(7);
  });

  it.each<[string, number, () => Promise<string>]>([
    ['a client that knows nothing yet', 300, () => log.request(0)],
    ['a log that rolled back', 300, () => log.request(100, 200)],
    ['a fork of the same size', 300, async () => fork.request(300)],
  ])('answers %s with 409 and its size', async (_, size, body) => {
    await send(await log.request(0));
    expect(await send(await body())).toEqual({ status: 409, type: 'text/x.tlog.size', text: `${size}\n` });
  });

  it('refuses a proof from size zero', async () => {
    expect((await send((await log.request(0)).replace('\n\n', `\n${'A'.repeat(43)}=\n\n`))).status).toBe(422);
  });

  it('cosigns one of two heads that arrive together, and never the smaller one after the larger', async () => {
    await send(await log.request(0, 7));
    const bodies = await Promise.all([8, 9, 200, 300, 299].map((size) => log.request(7, size)));
    const statuses = (await Promise.all(bodies.map((body) => send(body)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409]);
  });

  it('answers after a crash between persisting and answering with 409 and the new size', async () => {
    jest.mocked(replaceFile).mockImplementationOnce(async (path, content) => {
      await jest
        .requireActual<{ replaceFile: typeof replaceFile }>('../shared/replace-file.js')
        .replaceFile(path, content);
      throw new Error('the process ends here');
    });
    const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    expect((await send(await log.request(0))).status).toBe(500);
    expect(printed).toHaveBeenCalledTimes(1);
    await witness.close();
    const line = witness.policyLine.split(' ').slice(0, 3);
    witness = await start();
    expect(witness.policyLine.split(' ').slice(0, 3)).toEqual(line);
    expect(await send(await log.request(0))).toMatchObject({ status: 409, text: '300\n' });
    expect((await send(await log.request(300))).status).toBe(200);
    expect((await send(await fork.request(300))).status).toBe(409);
  });

  it('cosigns nothing that it could not persist', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    jest.mocked(replaceFile).mockRejectedValueOnce(new Error('the disk is full'));
    expect((await send(await log.request(0))).status).toBe(500);
    expect((await send(await fork.request(0))).status).toBe(200);
  });

  it('refuses a second process on its file', async () => {
    await expect(start()).rejects.toThrow('is in use');
  });
});

describe('a witness that follows a site', () => {
  let site: TestSite;
  beforeEach(async () => {
    site = await serveLog(await TestLog.create(300));
  });
  afterEach(() => site.close());

  /** Ends when a line has this text. */
  async function follow(until: string, patienceMs = 60_000): Promise<void> {
    const ending = new AbortController();
    const take = (line: string) => {
      if (line.includes(until)) ending.abort();
    };
    const place = { witness: witness.witness, prefix: logPrefix(site.url) };
    await followSite({ ...place, intervalMs: 5, patienceMs, notify: take, warn: take, signal: ending.signal });
  }

  it('cosigns each head that extends the one before, also beside the log’s own requests', async () => {
    await follow('cosigned 300');
    for (let added = 0; added < 500; added += 1) site.log.add();
    await send(await site.log.request(300, 310));
    await follow('cosigned 800');
    expect(JSON.parse(readFileSync(join(folder(), 'witness.json'), 'utf8')).heads).toEqual({
      [site.log.signer.key.name]: expect.stringContaining('\n800\n'),
    });
  });

  it('tolerates an older head for a while, and then raises an alarm', async () => {
    const older = await TestLog.create(200);
    await follow('cosigned 300');
    site.log = older;
    await follow('404');
    await expect(follow('never', 50)).rejects.toThrow(/tile.*404[\s\S]*\n200\n/);
    // The tiles still join it: a cache shows it.
    const { file } = site.log;
    site.log = Object.assign(await TestLog.create(300), {
      file: async (path: string) => (path === 'checkpoint' ? older.head() : file.call(log, path)),
    });
    await follow('the site shows 200 events after 300');
    await expect(follow('never', 50)).rejects.toThrow('the site shows 200 events after 300');
  });

  it('only warns of a log under a name that it does not know, as after a loss of history', async () => {
    await follow('cosigned 300');
    site.log = await TestLog.create(280, 'play.example/ledger-abababab');
    await follow('and start with the new key, too: play.example/ledger-abababab', 0);
    site.log = await TestLog.create(301);
    await follow('cosigned 301');
  });

  it('raises an alarm when the site withholds tiles, and none when it is unreachable', async () => {
    await follow('cosigned 300');
    site.log.add();
    site.isWithheld = (path) => path.startsWith('tile');
    await expect(follow('never', 50)).rejects.toThrow('404');
    site.isWithheld = () => true;
    await follow('checkpoint was answered with 404', 0);
    site.isWithheld = () => false;
    await follow('cosigned 301');
  });
});
