import { newPasswordProblems } from './password-rules.js';

describe('a new password', () => {
  it('is typed twice', () => {
    expect(newPasswordProblems({ password: 'abcdef', confirmation: 'abcdef' })).toEqual({});
    expect(newPasswordProblems({ password: 'abcdef', confirmation: 'abcdeg' })).toEqual({
      confirmation: 'Passwords do not match',
    });
  });

  it('has at least 6 characters', () => {
    expect(newPasswordProblems({ password: 'abcde', confirmation: 'abcde' })).toEqual({
      password: 'Password must be at least 6 characters long',
    });
  });
});
