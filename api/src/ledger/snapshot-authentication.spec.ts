import { SnapshotAuthenticator, type SnapshotContent } from './snapshot-authentication.js';

const content: SnapshotContent = {
  fold: 'a fold',
  revision: 7,
  chain: 'c'.repeat(64),
  tree: 'tree',
  digests: Buffer.from('digests'),
};
const authenticator = new SnapshotAuthenticator(['a secret of the nodes']);
const snapshot = { ...content, mac: authenticator.macOf(content) };

it('is authentic with its own content', () => {
  expect(authenticator.isAuthentic(snapshot)).toBe(true);
});

it.each<[string, Partial<typeof snapshot>]>([
  ['fold', { fold: 'another fold' }],
  ['revision', { revision: 8 }],
  ['chain', { chain: 'd'.repeat(64) }],
  ['tree', { tree: 'another tree' }],
  ['state', { digests: Buffer.from('Digests') }],
  ['code', { mac: Buffer.alloc(32) }],
  ['length of the code', { mac: Buffer.alloc(0) }],
])('is not authentic for another %s', (_name, change) => {
  expect(authenticator.isAuthentic({ ...snapshot, ...change })).toBe(false);
});

it('is not authentic under another secret', () => {
  expect(new SnapshotAuthenticator(['another secret']).isAuthentic(snapshot)).toBe(false);
});

it('is authentic under the secret that a new one replaces, and new snapshots under the new one', () => {
  const renewed = new SnapshotAuthenticator(['a new secret', 'a secret of the nodes']);
  expect(renewed.isAuthentic(snapshot)).toBe(true);
  expect(authenticator.isAuthentic({ ...content, mac: renewed.macOf(content) })).toBe(false);
});
