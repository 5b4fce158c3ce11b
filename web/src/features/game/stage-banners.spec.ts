import { advance, type Banner, enqueue, noBanners } from './stage-banners.js';

const winner = (key = 'w1'): Banner => ({
  kind: 'winner',
  key,
  gamerTag: 'nova_kid',
  jackpotCents: 54_847,
  isYou: false,
});
const extension = (key: string): Banner => ({ kind: 'extension', key, message: '+0:30 from Kestrel' });
const live: Banner = { kind: 'live', key: 'l1', message: 'Live' };

describe('banners', () => {
  it('show an extension for three seconds', () => {
    const queue = enqueue(noBanners, extension('a'), 0);
    expect(advance(queue, 2_999).current?.banner.key).toBe('a');
    expect(advance(queue, 3_000).current).toBeNull();
  });

  it('show the winner for eight seconds and its fade of half a second', () => {
    const queue = enqueue(noBanners, winner(), 0);
    expect(advance(queue, 8_499).current?.banner.key).toBe('w1');
    expect(advance(queue, 8_500).current).toBeNull();
  });

  it('replace an extension by the next one for its own three seconds', () => {
    const queue = enqueue(enqueue(noBanners, extension('a'), 0), extension('b'), 2_000);
    expect(advance(queue, 4_900).current?.banner.key).toBe('b');
    expect(queue.waiting).toEqual([]);
  });

  it('show the winner at once, before others', () => {
    const queue = enqueue(enqueue(noBanners, live, 0), winner(), 1_000);
    expect(queue.current?.banner.kind).toBe('winner');
  });

  it('let others wait behind the winner, and drop old extensions', () => {
    let queue = enqueue(noBanners, winner(), 0);
    queue = enqueue(queue, extension('a'), 500);
    expect(advance(queue, 8_500).current).toBeNull();
    queue = enqueue(queue, extension('b'), 7_000);
    expect(queue.waiting.map((w) => w.banner.key)).toEqual(['b']);
    expect(advance(queue, 8_500).current?.banner.key).toBe('b');
    expect(advance(queue, 13_000).current).toBeNull();
  });

  it('show an extension that arrived during the live banner after it', () => {
    const queue = enqueue(enqueue(noBanners, live, 0), extension('a'), 200);
    expect(advance(queue, 4_999).current?.banner.kind).toBe('live');
    expect(advance(queue, 5_000).current?.banner.key).toBe('a');
  });

  it('show two winners one after the other, each once', () => {
    let queue = enqueue(noBanners, winner('w1'), 0);
    queue = enqueue(queue, winner('w1'), 10);
    queue = enqueue(queue, winner('w2'), 20);
    expect(queue.waiting).toHaveLength(1);
    expect(advance(queue, 8_500).current?.banner.key).toBe('w2');
  });
});
