import { transferOf } from './transfer-rules.js';

describe('a transfer', () => {
  it.each([
    ['', 'Please enter an amount to transfer'],
    ['abc', 'Please enter a valid transfer amount'],
    ['0', 'Please enter a valid transfer amount'],
    ['-1', 'Please enter a valid transfer amount'],
    ['1.234', 'Please enter a valid transfer amount'],
    ['176.53', 'Transfer amount exceeds available winnings'],
  ])('of %j is refused: %s', (text, problem) => {
    expect(transferOf(text, 17_652)).toMatchObject({ problem });
  });

  it('may take everything', () => {
    expect(transferOf('176.52', 17_652)).toEqual({ amountCents: 17_652 });
    expect(transferOf('$1,000', 100_000)).toEqual({ amountCents: 100_000 });
  });
});
