import { registrationField, registrationProblems } from './account-forms.js';

const valid = { gamerTag: 'ada_west', email: 'ada@example.com', password: 'violet-owl', confirmation: 'violet-owl' };

describe('a registration', () => {
  it('is accepted when every field is valid', () => {
    expect(registrationProblems(valid)).toEqual({});
  });

  it('requires all four fields', () => {
    const problems = registrationProblems({ gamerTag: '', email: ' ', password: '', confirmation: '' });
    expect(Object.values(problems)).toEqual(Array(4).fill('All fields are required'));
  });

  it.each([
    [{ confirmation: 'violet-ow' }, { confirmation: 'Passwords do not match' }],
    [{ gamerTag: 'a b' }, { gamerTag: 'GamerTag must be 3 to 20 letters, digits, _ or -' }],
    [{ email: 'ada' }, { email: 'Please enter a valid email address' }],
    [{ password: 'short', confirmation: 'short' }, { password: 'Password must be at least 6 characters long' }],
  ])('refuses %j', (change, problems) => {
    expect(registrationProblems({ ...valid, ...change })).toEqual(problems);
  });

  it('shows a refusal at the field that its code belongs to', () => {
    expect(registrationField('gamer-tag-taken')).toBe('gamerTag');
    expect(registrationField('email-taken')).toBe('email');
    expect(registrationField('password-too-common')).toBe('password');
    expect(registrationField('password-too-short')).toBe('password');
    expect(registrationField('referral-code-not-found')).toBeNull();
    expect(registrationField('passwords-do-not-match')).toBeNull();
    expect(registrationField(null)).toBeNull();
  });
});
