import { attemptFor } from './attempt.js';

describe('attempts', () => {
  it('repeats the key for the same content', () => {
    const first = attemptFor(null, '{"quantity":4}', () => 'k1');
    expect(attemptFor(first, '{"quantity":4}', () => 'k2')).toBe(first);
  });

  it('takes a new key for other content, and after the attempt was settled', () => {
    const first = attemptFor(null, '{"quantity":4}', () => 'k1');
    expect(attemptFor(first, '{"quantity":5}', () => 'k2').key).toBe('k2');
    expect(attemptFor(null, '{"quantity":4}', () => 'k3').key).toBe('k3');
  });
});
