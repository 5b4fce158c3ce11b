import { recordAddress } from './conversation.js';

const HERE = 'https://play.example';

it.each([
  ['/verify?event=7&id=4', true],
  ['/rounds/12', true],
  ['/reset-password?token=7', false],
  ['/verify/../api/logout', false],
  ['.evil.example/verify', false],
  ['@evil.example/verify', false],
])('links to a record of this site only: %s', (rest, isLinked) => {
  expect(recordAddress(HERE + rest, HERE)).toBe(isLinked ? HERE + rest : null);
  expect(recordAddress(`javascript:alert(1)//${HERE}${rest}`, HERE)).toBeNull();
});
