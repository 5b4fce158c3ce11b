import { words } from '../../../../contracts/words.js';
import { isReservedTag, newPasswordRefusal, registrationRefusal } from './account.rules.js';

const good = { username: 'Alice_1', email: 'alice@example.com', password: 'quite unusual' };
const LONG_EMAIL = `${'a'.repeat(64)}@${'b'.repeat(190)}.com`;

it.each([{}, { username: 'a-b' }, { username: 'x'.repeat(20) }])('accepts the valid fields %j', (fields) => {
  expect(registrationRefusal({ ...good, ...fields })).toBeNull();
});

it.each([
  ...['ab', 'x'.repeat(21), 'with space', 'dot.dot', 'ünïcode', ''].map((username) => [{ username }, 'gamer-tag']),
  ...['alice', 'a@b', '@example.com', '"a"@example.com', '"a\r\nBcc: b"@example.com', LONG_EMAIL].map((email) => [
    { email },
    'email',
  ]),
  // Of several invalid fields the first one of the form is reported.
  [{ username: '?', email: '?', password: '?' }, 'gamer-tag'],
  [{ email: '?', password: '?' }, 'email'],
] as [object, string][])('refuses %j: invalid %s', (fields, field) => {
  expect(registrationRefusal({ ...good, ...fields })).toBe(`invalid-${field}`);
});

it.each<[string, string | null]>([
  ['f8!kq', 'password-too-short'],
  ['f8!kqz', null],
  ['ab'.repeat(100), null],
  [`${'ab'.repeat(100)}c`, 'password-too-long'],
  ...words('123456 Password1 QWERTY123 letmein omnijackpot').map((one): [string, string] => [
    one,
    'password-too-common',
  ]),
])('judges the password %s: %s', (password, refusal) => {
  expect(newPasswordRefusal(password)).toBe(refusal);
});

it('reserves tags that look official', () => {
  const reserved =
    'admin Admin the_admin admin123 4dm1n Administrator SUPPORT support24 mod-erator deleted-gamer OmniJackpot_Team';
  const free = 'badminton adele supporter_ housecat alice rootbeer 777 1337';
  expect(words(`${reserved} ${free}`).filter(isReservedTag)).toEqual(words(reserved));
});
