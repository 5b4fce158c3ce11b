import { FILM_SECONDS, filmFrame } from './film.js';

describe('the film of a round', () => {
  it('begins in pregame', () => {
    expect(filmFrame(0)).toMatchObject({ phase: 'pregame', clockSeconds: null, jackpotCents: 0, lastBuyer: null });
  });

  it('goes live with a minute', () => {
    expect(filmFrame(4)).toMatchObject({ phase: 'live', clockSeconds: 60, lastBuyer: null });
    expect(filmFrame(7.9).clockSeconds).toBe(21);
  });

  it('adds 30 seconds and 13 cents a token', () => {
    expect(filmFrame(8)).toMatchObject({ clockSeconds: 50, lastBuyer: 'Ada', jackpotCents: 13 });
    expect(filmFrame(11)).toMatchObject({ clockSeconds: 80, lastBuyer: 'Ben', jackpotCents: 39 });
    expect(filmFrame(17)).toMatchObject({ clockSeconds: 50, lastBuyer: 'Cleo', jackpotCents: 52 });
  });

  it('ends at zero with the last buyer as winner, before the film is over', () => {
    expect(filmFrame(21.9).phase).toBe('live');
    expect(filmFrame(22)).toMatchObject({ phase: 'won', clockSeconds: 0, lastBuyer: 'Cleo', jackpotCents: 52 });
    expect(filmFrame(FILM_SECONDS).phase).toBe('won');
  });

  it('keeps the clock above zero until the end', () => {
    for (let second = 4; second < 22; second += 0.1) expect(filmFrame(second).clockSeconds).toBeGreaterThan(0);
  });
});
