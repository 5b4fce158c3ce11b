import { ERASED_TEXT, isEncrypted } from '../../../contracts/encrypted-text.js';
import { decryptText, encryptText, newTextKey, type PlainText } from './personal-texts.store.js';

const key = newTextKey();
const plain: PlainText = { gamerId: 'alice', commandId: 'c1', field: 'reason', text: 'Für Alice: "danke" 🎉' };
const decrypted = (text: string, from = key) =>
  decryptText(text, (gamerId) => (gamerId === 'alice' ? from : undefined));

it('decrypts what it encrypted, and leaves plain text as it is', () => {
  const encrypted = encryptText(plain, key);
  expect(isEncrypted(encrypted)).toBe(true);
  expect(encrypted).not.toContain('danke');
  expect(decrypted(encrypted)).toBe(plain.text);
  for (const text of ['', 'plain', 'encrypted:1:', 'encrypted:1:alice', 'encrypted:2:alice:AAAA'])
    expect(decrypted(text)).toBe(text);
});

it('encrypts a repeated command to the same text, and everything else to another', () => {
  const encrypted = encryptText(plain, key);
  expect(encryptText({ ...plain }, key)).toBe(encrypted);
  const others = [{ commandId: 'c2' }, { field: 'adminNotes' }, { text: 'other' }, { gamerId: 'bob' }];
  const all = [
    encrypted,
    encryptText(plain, newTextKey()),
    ...others.map((other) => encryptText({ ...plain, ...other }, key)),
  ];
  expect(new Set(all.map((text) => text.split(':').at(-1))).size).toBe(all.length);
});

it('shows an erased text without the key, with another one, and when it was altered or moved to another gamer', () => {
  const encrypted = encryptText(plain, key);
  const altered = encrypted.slice(0, -6) + (encrypted.at(-6) === 'A' ? 'B' : 'A') + encrypted.slice(-5);
  const moved = encryptText({ ...plain, gamerId: 'bob' }, key).replace(':bob:', ':alice:');
  expect(decryptText(encrypted, () => undefined)).toBe(ERASED_TEXT);
  for (const text of [altered, moved, 'encrypted:1:alice:AAAA']) expect(decrypted(text)).toBe(ERASED_TEXT);
  expect(decrypted(encrypted, newTextKey())).toBe(ERASED_TEXT);
});

it('erases a text of a deleted gamer before it is written', () => {
  const encrypted = encryptText(plain, null);
  expect(encrypted).toBe('encrypted:1:alice:');
  expect(decrypted(encrypted)).toBe(ERASED_TEXT);
});
