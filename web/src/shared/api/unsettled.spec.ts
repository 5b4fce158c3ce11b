import { unsettledAttempts } from './unsettled.js';

const numbered = () => {
  let made = 0;
  return () => {
    made += 1;
    return `k${made}`;
  };
};

describe('unsettled attempts', () => {
  it('repeat their key for the same content, also after other content was sent', () => {
    const attempts = unsettledAttempts(numbered());
    const key = attempts.keyFor('POST /buy {"quantity":4}');
    expect(attempts.keyFor('POST /buy {"quantity":5}')).not.toBe(key);
    expect(attempts.keyFor('POST /buy {"quantity":4}')).toBe(key);
  });

  it('are forgotten once they are settled', () => {
    const attempts = unsettledAttempts(numbered());
    const key = attempts.keyFor('a');
    attempts.settle('a');
    expect(attempts.keyFor('a')).not.toBe(key);
  });

  it('forget the one that was tried least lately when there are too many', () => {
    const attempts = unsettledAttempts(numbered(), 2);
    const [a, b] = [attempts.keyFor('a'), attempts.keyFor('b')];
    attempts.keyFor('a');
    attempts.keyFor('c');
    expect(attempts.keyFor('a')).toBe(a);
    expect(attempts.keyFor('b')).not.toBe(b);
  });
});
