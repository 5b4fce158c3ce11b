import { canonicalEmail, mailboxOf } from './email.js';

it.each([
  ['Jane@X.Example', 'jane@x.example'],
  ['"jane.d"@x.example', 'jane.d@x.example'],
  ['"jane d"@x.example', '"jane d"@x.example'],
  ['ju\u0308rgen@b\u00fccher.example', 'j\u00fcrgen@xn--bcher-kva.example'],
  ['JANE@XN--BCHER-KVA.example', 'jane@xn--bcher-kva.example'],
])('spells %j as %j', (email, canonical) => {
  expect(canonicalEmail(email)).toBe(canonical);
  expect(canonicalEmail(canonical)).toBe(canonical);
});

it.each([
  ['Alice.B+game@GMail.com', 'aliceb@gmail.com'],
  ['a.b@googlemail.com', 'ab@gmail.com'],
  ['A.B+c+d@example.org', 'a.b@example.org'],
  ['+a@example.org', '+a@example.org'],
])('takes %s for the mailbox %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});
