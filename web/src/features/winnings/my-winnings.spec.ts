import { depositorNotice, transferOf } from './my-winnings.js';

const until = Date.UTC(2025, 10, 1, 16);

describe('depositor status', () => {
  it('is active up to and including the expiry, with the days rounded up', () => {
    const gamer = { isDepositor: true, depositorExpiresAt: until };
    expect(depositorNotice(gamer, until - 17.5 * 86_400_000)).toEqual({
      tone: 'plain',
      title: 'Depositor active, 18 days left.',
      text: 'Matrix winnings are paid to you until Nov 01, 2025. A new deposit starts another 30 days.',
    });
    expect(depositorNotice(gamer, until).tone).toBe('plain');
    expect(depositorNotice(gamer, until + 1).title).toBe('Depositor status expired on Nov 01, 2025.');
  });

  it('is expired after the admin switched it off, and missing without an expiry', () => {
    expect(depositorNotice({ isDepositor: false, depositorExpiresAt: until }, until - 1).tone).toBe('bad');
    expect(depositorNotice({ isDepositor: false, depositorExpiresAt: null }, until).tone).toBe('missing');
  });
});

it.each([
  ['', { problem: 'Please enter an amount to transfer' }],
  ['abc', { problem: 'Please enter a valid transfer amount' }],
  ['0', { problem: 'Please enter a valid transfer amount' }],
  ['1,000', { problem: 'Please write numbers without a comma, such as 1000 or 12.50' }],
  ['176.53', { problem: 'Transfer amount exceeds available winnings' }],
  ['$176.52', { amountCents: 17_652 }],
])('a typed transfer of %j', (text, order) => expect(transferOf(text, 17_652)).toMatchObject(order));
