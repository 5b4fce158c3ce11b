import { registrationField, registrationProblems } from './account-forms.js';

const valid = { gamerTag: 'ada_west', email: 'ada@example.com', password: 'violet-owl', confirmation: 'violet-owl' };

describe('a registration', () => {
  const REQUIRED = 'All fields are required';
  it.each([
    [{}, {}],
    [{ gamerTag: '' }, { gamerTag: REQUIRED }],
    [{ email: ' ' }, { email: REQUIRED }],
    [
      { password: '', confirmation: '' },
      { password: REQUIRED, confirmation: REQUIRED },
    ],
    [{ confirmation: 'violet-ow' }, { confirmation: 'Passwords do not match' }],
    [{ gamerTag: 'a b' }, { gamerTag: 'GamerTag must be 3 to 20 letters, digits, _ or -' }],
    [{ email: 'ada' }, { email: 'Please enter a valid email address' }],
    [{ password: 'short', confirmation: 'short' }, { password: 'Password must be at least 6 characters long' }],
  ])('with %j has the problems %j', (change, problems) => {
    expect(registrationProblems({ ...valid, ...change })).toEqual(problems);
  });

  it('shows a refusal at the field that its code belongs to', () => {
    const ofFields = ['gamer-tag-taken', 'email-taken', 'password-too-common', 'password-too-short'] as const;
    expect(ofFields.map(registrationField)).toEqual(['gamerTag', 'email', 'password', 'password']);
    const ofNone = ['referral-code-not-found', 'passwords-do-not-match', null] as const;
    expect(ofNone.map(registrationField)).toEqual([null, null, null]);
  });
});
