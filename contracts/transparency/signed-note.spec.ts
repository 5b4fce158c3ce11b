import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cosignersOf, parsePolicy } from './policy.js';
import { headText, parseSignedHead } from './signed-head.js';
import {
  COSIGNATURE,
  cosignatureLine,
  createSigner,
  ED25519,
  type Note,
  parseNote,
  parseVerifierKey,
  signatureLine,
  verifySignature,
} from './signed-note.js';

/** The worked example of Go's package golang.org/x/mod/sumdb/note. */
const PETER = {
  seed: Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1),
  key: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  line: '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
};

const ORIGIN = 'play.example/ledger';
const TEXT = headText(ORIGIN, { size: 184_219, root: new Uint8Array(32).fill(0xab) });
const seed = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const signers = Promise.all([
  createSigner(ORIGIN, ED25519, seed(1)),
  createSigner('one.example/witness', COSIGNATURE, seed(2)),
  createSigner('two.example/witness', COSIGNATURE, seed(3)),
]);

/** A head, signed by the log and cosigned by two witnesses. */
async function signedHead(): Promise<string> {
  const [log, one, two] = await signers;
  const lines = [await signatureLine(log, TEXT), await cosignatureLine(one, TEXT, 1_800_000_000)];
  return `${TEXT}\n${lines.join('')}${await cosignatureLine(two, TEXT, 1_800_000_001)}`;
}

describe('a signature', () => {
  it('of the worked example has its key, its line, and is valid', async () => {
    const peter = await createSigner('PeterNeumann', ED25519, PETER.seed);
    expect(peter.key.text).toBe(PETER.key);
    expect(await signatureLine(peter, PETER.text)).toBe(PETER.line);
    const key = await parseVerifierKey(PETER.key);
    expect(await verifySignature(parseNote(`${PETER.text}\n${PETER.line}`), key)).toBe('valid');
    const changed = `${PETER.text.replace('your', 'my')}\n${PETER.line}`;
    expect(await verifySignature(parseNote(changed), key)).toBe('wrong');
  });

  it('is that of the example in docs/receipts.md', async () => {
    const page = readFileSync(join(__dirname, '../../docs/receipts.md'), 'utf8');
    const [log, one] = await signers;
    const lines = [await signatureLine(log, TEXT), await cosignatureLine(one, TEXT, 1_800_000_000)];
    expect(page).toContain(`${TEXT}\n${lines.join('')}`);
    expect(page).toContain(one.key.text);
    expect(page).toContain(`KEY='${log.key.text.slice(log.key.text.lastIndexOf('+A') + 1)}'`);
  });

  it('of the log and of each witness is found among the others', async () => {
    const note = parseNote(await signedHead());
    for (const { key } of await signers) expect(await verifySignature(note, key)).toBe('valid');
    const { key } = await createSigner(ORIGIN, ED25519, seed(9));
    expect(await verifySignature(note, key)).toBe('absent');
  });

  it('is wrong after any change of the text or of the time', async () => {
    const note = await signedHead();
    const [log, one] = await signers;
    const other = parseNote(note.replace('184219', '184218'));
    expect([await verifySignature(other, log.key), await verifySignature(other, one.key)]).toEqual(['wrong', 'wrong']);
    const { text, signatures } = parseNote(note);
    const later = signatures.map((line) => ({ ...line, signature: line.signature.with(7, 99) }));
    expect(await verifySignature({ text, signatures: later } as Note, one.key)).toBe('wrong');
  });

  it('of an unknown type is neither valid nor wrong', async () => {
    const [log] = await signers;
    const note = parseNote(`${TEXT}\n${await signatureLine(log, TEXT)}`);
    expect(await verifySignature(note, { ...log.key, type: 6 })).toBe('unknown');
  });
});

describe('a note', () => {
  it.each([
    ['without signatures', TEXT],
    ['with a carriage return', `${TEXT.replace('\n', '\r\n')}\n${PETER.line}`],
    ['whose last line does not end', `${TEXT}\n${PETER.line.trimEnd()}`],
    ['with a hyphen for the dash', `${TEXT}\n${PETER.line.replace('—', '-')}`],
    ['with base64 of an address', `${TEXT}\n— name abc-_w==\n`],
    ['with base64 that is not canonical', `${TEXT}\n— name x08go/ZJkv==\n`],
    ['with a page after its text', '<!doctype html>\n\n<p>Sorry</p>\n'],
    ['with 65 signatures', `${TEXT}\n${PETER.line.repeat(65)}`],
  ])('%s is refused', (_, note) => {
    expect(() => parseNote(note)).toThrow();
  });

  it('may have 16 signatures of unknown keys, which are carried on', () => {
    expect(parseNote(`${TEXT}\n${PETER.line.repeat(16)}`).signatures.map(({ text }) => text)).toEqual(
      Array.from({ length: 16 }, () => PETER.line),
    );
  });
});

it.each([
  'PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  'Peter+c74f20a3',
  '',
  'a b+c74f20a3+AR',
])('a key %j is refused', async (text) => {
  await expect(parseVerifierKey(text)).rejects.toThrow();
});

describe('a head', () => {
  it('has exactly the three lines', async () => {
    expect(TEXT).toBe('play.example/ledger\n184219\nq6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=\n');
    const { origin, size, root } = parseSignedHead(await signedHead());
    expect([origin, size, root]).toEqual([ORIGIN, 184_219, new Uint8Array(32).fill(0xab)]);
  });

  it.each([
    ['a size with a leading zero', (text: string) => text.replace('184219', '0184219')],
    ['a size that no number has', (text: string) => text.replace('184219', '9007199254740993')],
    ['a short hash', (text: string) => text.replace(/q6.*=/, 'q6s=')],
    ['no name', (text: string) => text.replace(ORIGIN, '')],
  ])('with %s is refused', (_, change) => {
    expect(() => parseSignedHead(`${change(TEXT)}\n${PETER.line}`)).toThrow();
  });
});

describe('a policy', () => {
  const policy = async (lines: string[]) => {
    const [log, one, two] = await signers;
    const keys = [log, one, two].map(({ key }) => key.text) as [string, string, string];
    const named = (line: string) => line.replace('LOG', keys[0]).replace('ONE', keys[1]).replace('TWO', keys[2]);
    return parsePolicy(lines.map(named).join('\n'));
  };

  it('has a quorum when enough of the group cosigned', async () => {
    const lines = [
      '# ours',
      'log LOG',
      ' witness a\tONE http://127.0.0.1:9/w/',
      'witness b TWO',
      'group ab 2 a b',
      'quorum ab',
    ];
    const { witnesses, hasQuorum, ...rest } = await policy(lines);
    expect(witnesses.map(({ name, url }) => [name, url])).toEqual([
      ['a', 'http://127.0.0.1:9/w'],
      ['b', null],
    ]);
    expect(hasQuorum(await cosignersOf(parseNote(await signedHead()), { witnesses }))).toBe(true);
    const note = (await signedHead()).split('\n').toSpliced(-2, 1).join('\n');
    expect(hasQuorum(await cosignersOf(parseNote(note), { witnesses }))).toBe(false);
    expect(rest.logs[0]?.key.name).toBe(ORIGIN);
    const forged = parseNote((await signedHead()).replace('184219', '184218'));
    await expect(cosignersOf(forged, { witnesses })).rejects.toThrow('wrong');
  });

  it.each([
    ['no quorum', ['witness a ONE']],
    ['two quorums', ['quorum none', 'quorum none']],
    ['a name that is used before it is defined', ['group g any a', 'witness a ONE', 'quorum g']],
    ['a member of two groups', ['witness a ONE', 'group g any a', 'group h any a', 'quorum h']],
    ['a threshold above its members', ['witness a ONE', 'group g 2 a', 'quorum g']],
    ['the same key twice', ['witness a ONE', 'witness b ONE', 'quorum a']],
    ['the same name twice', ['witness a ONE', 'witness a TWO', 'quorum a']],
    ['a key whose id is wrong', ['witness a name+00000000+BAAA', 'quorum a']],
    ['another keyword', ['friend a', 'quorum none']],
    ['an address without http', ['witness a ONE ftp://x', 'quorum a']],
  ])('with %s is refused', async (_, lines) => {
    await expect(policy(lines)).rejects.toThrow();
  });
});
