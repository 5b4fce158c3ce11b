import { addressKey, networkOf } from './client-address.js';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:0:12:1:2:3:4', '2001:db8:0:12::/64'],
  ['2001:DB8::12', '2001:db8:0:0::/64'],
  ['2001:db8:0:12::', '2001:db8:0:12::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it('has a key that depends on the secret', () => {
  expect(addressKey('2001:db8::1', 'one')).toBe(addressKey('2001:db8::2', 'one'));
  expect(addressKey('203.0.113.7', 'one')).not.toBe(addressKey('203.0.113.7', 'other'));
  expect(addressKey('203.0.113.7', 'one')).not.toBe(addressKey('203.0.113.8', 'one'));
});
