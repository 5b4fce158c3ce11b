import { ERASED_TEXT, isSealed } from '../../../contracts/sealed-text.js';
import { newTextKey, open, type PlainText, seal } from './text-sealing.js';

const key = newTextKey();
const plain: PlainText = { gamerId: 'alice', commandId: 'c1', field: 'reason', text: 'Für Alice: "danke" 🎉' };
const opened = (text: string, from = key) => open(text, (gamerId) => (gamerId === 'alice' ? from : undefined));

describe('text sealing', () => {
  it('opens what it sealed, and leaves plain text as it is', () => {
    const sealed = seal(plain, key);
    expect(isSealed(sealed)).toBe(true);
    expect(sealed).not.toContain('danke');
    expect(opened(sealed)).toBe(plain.text);
    for (const text of ['', 'plain', 'sealed:1:', 'sealed:1:alice', 'sealed:2:alice:AAAA'])
      expect(opened(text)).toBe(text);
  });

  it('seals a repeated command to the same text, and everything else to another', () => {
    const sealed = seal(plain, key);
    expect(seal({ ...plain }, key)).toBe(sealed);
    const others = [{ commandId: 'c2' }, { field: 'adminNotes' }, { text: 'other' }, { gamerId: 'bob' }];
    const all = [sealed, seal(plain, newTextKey()), ...others.map((other) => seal({ ...plain, ...other }, key))];
    expect(new Set(all.map((text) => text.split(':').at(-1))).size).toBe(all.length);
  });

  it('shows an erased text without the key, with another one, and when it was altered or moved to another gamer', () => {
    const sealed = seal(plain, key);
    const altered = sealed.slice(0, -6) + (sealed.at(-6) === 'A' ? 'B' : 'A') + sealed.slice(-5);
    const moved = seal({ ...plain, gamerId: 'bob' }, key).replace(':bob:', ':alice:');
    expect(open(sealed, () => undefined)).toBe(ERASED_TEXT);
    for (const text of [altered, moved, 'sealed:1:alice:AAAA']) expect(opened(text)).toBe(ERASED_TEXT);
    expect(opened(sealed, newTextKey())).toBe(ERASED_TEXT);
  });

  it('erases a text of a deleted gamer before it is written', () => {
    const sealed = seal(plain, null);
    expect(sealed).toBe('sealed:1:alice:');
    expect(opened(sealed)).toBe(ERASED_TEXT);
  });
});
