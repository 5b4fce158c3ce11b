import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noteSigner, signedNote } from './signed-note.js';

/** The worked example of Go's package golang.org/x/mod/sumdb/note. */
const PETER = {
  seed: Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1),
  key: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  line: '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
};

it('writes the public key and the signature line of the worked example', () => {
  const peter = noteSigner('PeterNeumann', PETER.seed);
  expect(peter.verifierKey).toBe(PETER.key);
  expect(signedNote(PETER.text, [peter])).toBe(`${PETER.text}\n${PETER.line}`);
});

it('gives each signer a line, in order', () => {
  const [one, other] = [1, 2].map((byte) => noteSigner('play.example/ledger', Buffer.alloc(32, byte)));
  const lines = signedNote('text\n', [one!, other!]).split('\n');
  expect(lines).toHaveLength(5);
  expect([lines[2], lines[3]]).toEqual([
    signedNote('text\n', [one!]).split('\n')[2],
    signedNote('text\n', [other!]).split('\n')[2],
  ]);
});

it('writes the example of docs/receipts.md', () => {
  const page = readFileSync(join(__dirname, '../../../../docs/receipts.md'), 'utf8');
  const [, example = ''] = /```\n(play\.example\/ledger\n.*?)```/s.exec(page) ?? [];
  const signer = noteSigner('play.example/ledger', Buffer.alloc(32, 1));
  const text = example.slice(0, example.indexOf('\n\n') + 1);
  expect(text).toContain(`key ${signer.verifierKey}\n`);
  expect(signedNote(text, [signer])).toBe(example);
});
