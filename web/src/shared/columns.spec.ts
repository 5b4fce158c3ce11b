import { shortened } from './files.js';

it('shortens a long text to both ends, and keeps a short one', () => {
  expect(shortened('DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L', 6)).toBe('DH5yai…R3mr7L');
  expect(shortened('short', 6)).toBe('short');
});
