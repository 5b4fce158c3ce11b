import { type SealedContent, SnapshotSeal } from './snapshot-seal.js';

const content: SealedContent = { fold: 'a fold', revision: 7, chain: 'c'.repeat(64), digests: Buffer.from('digests') };
const seal = new SnapshotSeal(['a secret of the nodes']);
const sealed = { ...content, seal: seal.of(content) };

it('is genuine for what was sealed', () => {
  expect(seal.isGenuine(sealed)).toBe(true);
});

it.each<[string, Partial<typeof sealed>]>([
  ['fold', { fold: 'another fold' }],
  ['revision', { revision: 8 }],
  ['chain', { chain: 'd'.repeat(64) }],
  ['state', { digests: Buffer.from('Digests') }],
  ['seal', { seal: Buffer.alloc(32) }],
  ['length of the seal', { seal: Buffer.alloc(0) }],
])('is not genuine for another %s', (_name, change) => {
  expect(seal.isGenuine({ ...sealed, ...change })).toBe(false);
});

it('is not genuine under another secret', () => {
  expect(new SnapshotSeal(['another secret']).isGenuine(sealed)).toBe(false);
});

it('is genuine under the secret that a new one replaces, and the new one seals', () => {
  const renewed = new SnapshotSeal(['a new secret', 'a secret of the nodes']);
  expect(renewed.isGenuine(sealed)).toBe(true);
  expect(seal.isGenuine({ ...content, seal: renewed.of(content) })).toBe(false);
});
