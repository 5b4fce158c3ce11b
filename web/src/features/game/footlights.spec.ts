import { footlightsText, layFootlights } from './footlights.js';

const bought = (purchaseId: string, buyerId: string, tokens: number) => ({
  purchaseId,
  buyerId,
  buyerGamerTag: `tag-${buyerId}`,
  addedSeconds: tokens * 30,
});
const lay = (purchases: ReturnType<typeof bought>[], secondsLeft: number, { rowWidthPx = 1_000, myId = '' } = {}) =>
  layFootlights({ purchases, secondsLeft, secondsPerLamp: 30, rowWidthPx, myId });
/** One-token purchases, newest first. */
const many = (count: number) => Array.from({ length: count }, (_, i) => bought(`p${i}`, `b${i}`, 1));
const shape = (lights: ReturnType<typeof lay>) =>
  lights.cues.map((c) => `${c.buyerGamerTag?.replace('tag-', '') ?? c.owner}:${c.lamps}${c.isLast ? '!' : ''}`);

describe('the footlights', () => {
  it('divide the time from the end backwards, so the newest purchase goes out last', () => {
    const purchases = [bought('4', 'n', 2), bought('3', 'y', 1), bought('2', 'k', 2), bought('1', 'l', 2)];
    const lights = lay(purchases, 167, { myId: 'y' });
    expect(shape(lights)).toEqual(['l:1', 'k:2', 'y:1', 'n:2!']);
    expect(lights).toMatchObject({ lamps: 6, isCrowded: false });
    expect(lights.firstLampLeft).toBeCloseTo(17 / 30);
    expect(footlightsText(lights, 30)).toBe(
      '6 lamps left, 30 seconds each. In order: tag-l 1, tag-k 2, you 1, tag-n 2.',
    );
  });

  it.each([
    ['opening time belongs to no buyer', [], 120, ['opening:4'], 1],
    ['opening time burns first', [bought('1', 'a', 1)], 150, ['opening:4', 'a:1!'], 1],
    ['one lamp is the last buyer’s until the end', [bought('2', 'b', 1), bought('1', 'a', 5)], 7, ['b:1!'], 7 / 30],
    ['all are out at zero', [bought('1', 'a', 1)], 0, [], 0],
  ])('%s', (_, purchases, secondsLeft, shown, firstLampLeft) => {
    const lights = lay(purchases, secondsLeft);
    expect(shape(lights)).toEqual(shown);
    expect(lights.firstLampLeft).toBeCloseTo(firstLampLeft);
  });

  it('have a text when they are out', () => expect(footlightsText(lay([], 0), 30)).toBe('All lamps are out.'));

  it('omit names below narrow groups, except the last buyer’s, which may extend to the left or past the row’s end', () => {
    const tags = lay(many(20), 600, { rowWidthPx: 328 }).cues.map((c) => c.tag);
    expect(tags).toEqual([...Array(19).fill('none'), 'spill']);
    expect(lay(many(3), 90, { rowWidthPx: 328 }).cues.map((c) => c.tag)).toEqual(['short', 'short', 'overhang']);
    expect(lay(many(1), 30, { rowWidthPx: 328 }).cues.map((c) => c.tag)).toEqual(['full']);
    const named = (buyerGamerTag: string) => [{ ...bought('2', 'b', 1), buyerGamerTag }, bought('1', 'a', 1)];
    const tagOf = (name: string) => lay(named(name), 60, { rowWidthPx: 328 }).cues.at(-1)?.tag;
    expect(tagOf('nova_kid')).toBe('overhang');
    // Wider than the row's half: cut.
    expect(tagOf('a'.repeat(25))).toBe('short');
  });
});

describe('more than 24 lamps', () => {
  it('show the newest twelve purchases one by one, and the rest as others', () => {
    const lights = lay(many(24), 436 * 30 + 24 * 30);
    expect(lights).toMatchObject({ isCrowded: true, lamps: 460 });
    expect(shape(lights)).toEqual([
      'others:448',
      ...many(12)
        .map(({ buyerId }, i) => `${buyerId}:1${i ? '' : '!'}`)
        .reverse(),
    ]);
    expect(footlightsText(lights, 30)).toMatch(/^460 lamps left, 30 seconds each. In order: others 448, tag-b11 1,/);
  });

  it('show the gamer’s newest purchase among the others, in its place', () => {
    const lights = lay(many(24), 100 * 30, { myId: 'b20' });
    expect(shape(lights).slice(0, 4)).toEqual(['others:79', 'b20:1', 'others:8', 'b11:1']);
    expect(lights.cues.filter(({ isYou }) => isYou)).toHaveLength(1);
  });

  it('leave most of the row to the purchases with a name, and draw the others as lamps too', () => {
    for (const rowWidthPx of [288, 328, 704, 1_184]) {
      const { cues } = lay(many(24), 5_000 * 30, { rowWidthPx });
      const [others] = cues;
      expect((others?.px ?? 0) / rowWidthPx).toBeLessThan(0.4);
      expect(others?.drawn).toBeGreaterThan(1);
      expect(cues.at(-1)?.tag).toBe('full');
    }
  });

  it('fit the narrowest phone, with twelve names, the gamer’s own and others on both sides', () => {
    const { cues } = lay(many(24), 100 * 30, { rowWidthPx: 288, myId: 'b20' });
    expect(cues.reduce((sum, { px }) => sum + px + 3, -3)).toBeCloseTo(288);
  });

  it('name every one of the twelve on a desktop, also next to a purchase of ten thousand', () => {
    const lights = lay([bought('z', 'z', 1), bought('big', 'big', 10_000), ...many(10)], 10_011 * 30, {
      rowWidthPx: 1_184,
    });
    expect(lights.cues.map((c) => c.tag)).not.toContain('none');
  });

  it('count every lamp also after merging', () => {
    for (const rowWidthPx of [100, 328, 1_200]) {
      const purchases = Array.from({ length: 24 }, (_, i) => bought(`${i}`, `${i}`, (i % 5) + 1));
      const lights = lay(purchases, 2_000, { rowWidthPx });
      expect(lights.cues.reduce((sum, c) => sum + c.lamps, 0)).toBe(lights.lamps);
      expect(lights.cues.filter((c) => c.isLast)).toHaveLength(1);
    }
  });
});
