import { randomKey } from './random-key.js';

describe('a random key', () => {
  it('is what the server takes as an Idempotency-Key, and never twice the same', () => {
    const keys = Array.from({ length: 1_000 }, randomKey);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
