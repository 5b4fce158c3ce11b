import { footlightsText, layFootlights } from './footlights.js';

const bought = (purchaseId: string, buyerId: string, tokens: number) => ({
  purchaseId,
  buyerId,
  buyerGamerTag: `tag-${buyerId}`,
  addedSeconds: tokens * 30,
});
const lay = (purchases: ReturnType<typeof bought>[], secondsLeft: number, rowWidthPx = 1_000) =>
  layFootlights({ purchases, secondsLeft, secondsPerLamp: 30, rowWidthPx });
const shape = (lights: ReturnType<typeof lay>) =>
  lights.cues.map((c) => `${c.buyerId ?? c.owner}:${c.lamps}${c.isLast ? '!' : ''}`);

describe('the footlights', () => {
  it('divide the time from the end backwards, so the newest purchase goes out last', () => {
    const lights = lay([bought('4', 'n', 2), bought('3', 'y', 1), bought('2', 'k', 2), bought('1', 'l', 2)], 167);
    expect(shape(lights)).toEqual(['l:1', 'k:2', 'y:1', 'n:2!']);
    expect(lights).toMatchObject({ lamps: 6, merged: false });
    expect(lights.firstLampLeft).toBeCloseTo(17 / 30);
    expect(footlightsText(lights, 30, 'y')).toBe(
      '6 lamps left, 30 seconds each. In order: tag-l 1, tag-k 2, you 1, tag-n 2.',
    );
  });

  it('assign opening time to no buyer', () => {
    expect(shape(lay([], 120))).toEqual(['opening:4']);
    expect(shape(lay([bought('1', 'a', 1)], 150))).toEqual(['opening:4', 'a:1!']);
    expect(lay([], 120).firstLampLeft).toBe(1);
  });

  it('call time before a full list earlier, not opening', () => {
    const full = Array.from({ length: 24 }, (_, i) => bought(`p${i}`, 'a', 1));
    expect(lay(full, 24 * 30 + 60).cues[0]?.owner).toBe('earlier');
  });

  it('are all out at zero', () => {
    const lights = lay([bought('1', 'a', 1)], 0);
    expect(lights).toMatchObject({ cues: [], lamps: 0, firstLampLeft: 0 });
    expect(footlightsText(lights, 30, null)).toBe('All lamps are out.');
  });

  it('keep one lamp for the last buyer until the end', () => {
    const lights = lay([bought('2', 'b', 1), bought('1', 'a', 5)], 7);
    expect(shape(lights)).toEqual(['b:1!']);
    expect(lights.firstLampLeft).toBeCloseTo(7 / 30);
  });

  it('become bars above 24 lamps, each as wide as its share', () => {
    const lights = lay([bought('2', 'big', 40), bought('1', 'a', 10)], 50 * 30);
    expect(lights.merged).toBe(true);
    expect(shape(lights)).toEqual(['a:10', 'big:40!']);
    const [a, big] = lights.cues;
    expect((big?.width ?? 0) / (a?.width ?? 1)).toBeCloseTo(4);
  });

  it('merge neighbours under 12 px into others, never the last purchase', () => {
    const small = Array.from({ length: 8 }, (_, i) => bought(`s${i}`, `s${i}`, 1));
    const lights = lay([bought('z', 'z', 1), ...small, bought('1', 'big', 100)], 109 * 30, 328);
    expect(shape(lights)).toEqual(['big:100', 'others:8', 'z:1!']);
  });

  it('count every lamp also after merging', () => {
    for (const width of [100, 328, 1_200]) {
      const lights = lay(
        Array.from({ length: 24 }, (_, i) => bought(`${i}`, `${i}`, (i % 5) + 1)),
        2_000,
        width,
      );
      expect(lights.cues.reduce((sum, c) => sum + c.lamps, 0)).toBe(lights.lamps);
      expect(lights.cues.filter((c) => c.isLast)).toHaveLength(1);
    }
  });

  it('omit names below narrow groups, except the last buyer’s, which may extend to the left', () => {
    const many = Array.from({ length: 20 }, (_, i) => bought(`${i}`, `${i}`, 1));
    const tags = lay(many, 600, 328).cues.map((c) => c.tag);
    expect(tags).toEqual([...Array(19).fill('none'), 'spill']);
    expect(lay(many.slice(0, 3), 90, 328).cues.map((c) => c.tag)).toEqual(['short', 'short', 'short']);
    expect(lay(many.slice(0, 1), 30, 328).cues.map((c) => c.tag)).toEqual(['full']);
  });
});
