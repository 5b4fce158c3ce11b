import { postOf } from './post-rules.js';

describe('a post as typed', () => {
  it('is trimmed', () => expect(postOf('  hello room \n')).toEqual({ message: 'hello room' }));

  it('must not be empty', () => expect(postOf(' \n ')).toEqual({ problem: 'Please enter a message to post' }));

  it('has at most 500 characters', () => {
    expect(postOf('x'.repeat(500))).toHaveProperty('message');
    expect(postOf('x'.repeat(501))).toEqual({ problem: 'Message must be 500 characters or less' });
  });
});
