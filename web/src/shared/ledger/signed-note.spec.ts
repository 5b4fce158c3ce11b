import { noteSigner, signedNote } from '../../../../api/src/features/receipts/signed-note.js';
import { checkSignature, parseCheckpoint } from './signed-note.js';

const NAME = 'play.example/ledger';
const signer = noteSigner(NAME, Buffer.alloc(32, 1));
const other = noteSigner(NAME, Buffer.alloc(32, 2));
const chain = 'ab'.repeat(32);
const TEXT = `${NAME}\n184219\n${Buffer.from(chain, 'hex').toString('base64')}\ntime 2026-01-31T12:00:00.000Z\nposition 7\nkey ${signer.verifierKey}\n`;
const note = signedNote(TEXT, [signer]);

it('reads a checkpoint', () => {
  const atEpochMs = Date.parse('2026-01-31T12:00:00.000Z');
  expect(parseCheckpoint(note)).toEqual({ note, name: NAME, size: 184_219, chain, atEpochMs, key: signer.verifierKey });
});

it.each([
  ['a page', '<!doctype html>\n\n<p>Sorry</p>\n'],
  ['a size with a leading zero', note.replace('184219', '0184219')],
  ['a short hash', note.replace(/\n[^\n]+=\n/, '\nAAAA\n')],
  ['nothing', ''],
])('refuses %s', (_, text) => {
  expect(() => parseCheckpoint(text)).toThrow('no checkpoint');
});

describe('a signature', () => {
  it('of the worked example is valid', async () => {
    const text =
      "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
    const line =
      '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
    const key = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    expect(await checkSignature(`${text}\n${line}`, key)).toBe('valid');
    expect(await checkSignature(`${text.replace('your', 'my')}\n${line}`, key)).toBe('wrong');
  });

  it('is found among those of other keys', async () => {
    expect(await checkSignature(signedNote(TEXT, [other, signer]), signer.verifierKey)).toBe('valid');
    expect(await checkSignature(signedNote(TEXT, [other]), signer.verifierKey)).toBe('absent');
    expect(await checkSignature(note, 'not a key')).toBe('absent');
  });

  it('is wrong after any change of the text', async () => {
    for (const changed of [note.replace('184219', '184218'), note.replace('position 7', 'position 8')])
      expect(await checkSignature(changed, signer.verifierKey)).toBe('wrong');
  });
});
