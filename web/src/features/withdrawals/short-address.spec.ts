import { shortAddress } from './short-address.js';

it('shows both ends of an address, and all of a short text', () => {
  expect(shortAddress('DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L')).toBe('DH5yai…R3mr7L');
  expect(shortAddress('short')).toBe('short');
});
