import { words } from '../../../../contracts/words.js';
import { isReservedTag, newPasswordRefusal, registrationRefusal } from './account.rules.js';

const good = { username: 'Alice_1', email: 'alice@example.com', password: 'quite unusual' };

describe('registration', () => {
  it('accepts valid fields', () => {
    expect(registrationRefusal(good)).toBeNull();
    expect(registrationRefusal({ ...good, username: 'a-b' })).toBeNull();
    expect(registrationRefusal({ ...good, username: 'x'.repeat(20) })).toBeNull();
  });

  it.each(['ab', 'x'.repeat(21), 'with space', 'dot.dot', 'ünïcode', ''])('refuses the GamerTag %j', (username) => {
    expect(registrationRefusal({ ...good, username })).toBe('invalid-gamer-tag');
  });

  it.each([
    'alice',
    'a@b',
    '@example.com',
    '"a"@example.com',
    '"a\r\nBcc: b"@example.com',
    `${'a'.repeat(64)}@${'b'.repeat(190)}.com`,
  ])('refuses the email %j', (email) => {
    expect(registrationRefusal({ ...good, email })).toBe('invalid-email');
  });

  it('reports the first invalid field of the form', () => {
    expect(registrationRefusal({ username: '?', email: '?', password: '?' })).toBe('invalid-gamer-tag');
    expect(registrationRefusal({ ...good, email: '?', password: '?' })).toBe('invalid-email');
  });
});

describe('a password', () => {
  it('has 6 to 200 characters', () => {
    expect(newPasswordRefusal('f8!kq')).toBe('password-too-short');
    expect(newPasswordRefusal('f8!kqz')).toBeNull();
    expect(newPasswordRefusal('ab'.repeat(100))).toBeNull();
    expect(newPasswordRefusal(`${'ab'.repeat(100)}c`)).toBe('password-too-long');
  });

  it.each(['123456', 'Password1', 'QWERTY123', 'letmein', 'omnijackpot'])('is not the common %s', (password) => {
    expect(newPasswordRefusal(password)).toBe('password-too-common');
  });
});

describe('reserved tags', () => {
  it.each(
    words(
      'admin Admin the_admin admin123 4dm1n Administrator SUPPORT support24 mod-erator deleted-gamer OmniJackpot_Team',
    ),
  )('reserves %s', (tag) => {
    expect(isReservedTag(tag)).toBe(true);
  });

  it.each(['badminton', 'adele', 'supporter_', 'housecat', 'alice', 'rootbeer', '777', '1337'])(
    'leaves %s to gamers',
    (tag) => {
      expect(isReservedTag(tag)).toBe(false);
    },
  );
});
