import { FILM_SECONDS, filmFrame } from './film.js';

it.each([
  [4, { clockSeconds: 60, jackpotCents: 0, lastBuyer: null }],
  [7.9, { clockSeconds: 21 }],
  [8, { clockSeconds: 50, lastBuyer: 'Ada', jackpotCents: 13 }],
  [11, { clockSeconds: 80, lastBuyer: 'Ben', jackpotCents: 39 }],
  [17, { clockSeconds: 50, lastBuyer: 'Cleo', jackpotCents: 52 }],
  [22, { clockSeconds: 0, lastBuyer: 'Cleo', jackpotCents: 52 }],
  [FILM_SECONDS, { clockSeconds: 0, caption: expect.stringContaining('Cleo bought last') }],
])('the film of a round plays by its rules: second %d', (second, frame) => {
  expect(filmFrame(second)).toMatchObject(frame);
});

it('the clock of the film stays above zero until the end', () => {
  for (let second = 4; second < 22; second += 0.1) expect(filmFrame(second).clockSeconds).toBeGreaterThan(0);
});
