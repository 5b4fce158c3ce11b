import { FILM_SECONDS, filmFrame } from './film.js';

describe('the film of a round', () => {
  it('begins with a minute on the clock', () => {
    expect(filmFrame(4)).toMatchObject({ clockSeconds: 60, jackpotCents: 0, lastBuyer: null });
    expect(filmFrame(7.9).clockSeconds).toBe(21);
  });

  it('adds 30 seconds and 13 cents a token', () => {
    expect(filmFrame(8)).toMatchObject({ clockSeconds: 50, lastBuyer: 'Ada', jackpotCents: 13 });
    expect(filmFrame(11)).toMatchObject({ clockSeconds: 80, lastBuyer: 'Ben', jackpotCents: 39 });
    expect(filmFrame(17)).toMatchObject({ clockSeconds: 50, lastBuyer: 'Cleo', jackpotCents: 52 });
  });

  it('ends at zero with the last buyer as winner, before the film is over', () => {
    expect(filmFrame(22)).toMatchObject({ clockSeconds: 0, lastBuyer: 'Cleo', jackpotCents: 52 });
    expect(filmFrame(FILM_SECONDS)).toMatchObject({
      clockSeconds: 0,
      caption: expect.stringContaining('Cleo bought last'),
    });
  });

  it('keeps the clock above zero until the end', () => {
    for (let second = 4; second < 22; second += 0.1) expect(filmFrame(second).clockSeconds).toBeGreaterThan(0);
  });
});
