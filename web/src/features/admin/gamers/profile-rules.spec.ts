import { emailProblem, gamerTagProblem, passwordProblem } from './profile-rules.js';

describe('a gamer’s profile', () => {
  it('has a tag of 3 to 20 letters, digits, _ or -', () => {
    expect(['ada', 'Mirela-88', 'a_2'.padEnd(20, 'x')].map(gamerTagProblem)).toEqual([null, null, null]);
    for (const tag of ['', 'ab', 'x'.repeat(21), 'no space', 'é-é-é']) {
      expect(gamerTagProblem(tag)).toBe('GamerTag must be 3 to 20 letters, digits, _ or -');
    }
  });

  it('has an email address', () => {
    expect(emailProblem('ada@example.com')).toBeNull();
    for (const email of ['', 'ada', 'ada@example', 'a b@example.com', `${'a'.repeat(250)}@example.com`]) {
      expect(emailProblem(email)).toBe('Please enter a valid email address');
    }
  });

  it('has a password of 6 to 200 characters', () => {
    expect(passwordProblem('123456')).toBeNull();
    expect(passwordProblem('12345')).toBe('Password must be at least 6 characters long');
    expect(passwordProblem('x'.repeat(201))).toBe('Password must be at most 200 characters long');
  });
});
