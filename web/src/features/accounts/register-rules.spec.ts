import { refusalText } from '../../../../contracts/messages.js';
import { fieldOfRefusal, registrationProblems } from './register-rules.js';

const good = { gamerTag: 'ada_west', email: 'ada@example.com', password: 'violet-owl', confirmation: 'violet-owl' };

describe('a registration', () => {
  it('may be sent when it is in order', () => {
    expect(registrationProblems(good)).toEqual({});
  });

  it('needs all four fields', () => {
    const problems = registrationProblems({ gamerTag: '', email: ' ', password: '', confirmation: '' });
    expect(Object.values(problems)).toEqual(Array(4).fill('All fields are required'));
  });

  it.each([
    [{ confirmation: 'violet-ow' }, { confirmation: 'Passwords do not match' }],
    [{ gamerTag: 'a b' }, { gamerTag: 'GamerTag must be 3 to 20 letters, digits, _ or -' }],
    [{ email: 'ada' }, { email: 'Please enter a valid email address' }],
    [{ password: 'short', confirmation: 'short' }, { password: 'Password must be at least 6 characters long' }],
  ])('%j is refused', (change, problems) => {
    expect(registrationProblems({ ...good, ...change })).toEqual(problems);
  });

  it('puts the server’s refusals beside their fields', () => {
    expect(fieldOfRefusal(refusalText({ code: 'gamer-tag-taken' }))).toBe('gamerTag');
    expect(fieldOfRefusal(refusalText({ code: 'email-taken' }))).toBe('email');
    expect(fieldOfRefusal(refusalText({ code: 'password-too-common' }))).toBe('password');
    expect(fieldOfRefusal(refusalText({ code: 'password-too-short' }))).toBe('password');
    expect(fieldOfRefusal(refusalText({ code: 'referral-code-not-found' }))).toBeNull();
    expect(fieldOfRefusal(refusalText({ code: 'passwords-do-not-match' }))).toBeNull();
  });
});
