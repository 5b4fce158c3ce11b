import { codeInAddress } from './referral.js';

describe('the referral code in an address', () => {
  it.each([
    ['?ref=ADA7K2', 'ADA7K2'],
    ['?token=1&ref=%20KES%20', 'KES'],
    ['?ref=007', '007'],
    ['?ref=', null],
    ['', null],
  ])('%j: %p', (search, code) => {
    expect(codeInAddress(search)).toBe(code);
  });
});
