import { ExpiringCache } from './expiring-cache.js';

describe('an expiring cache', () => {
  it('forgets an entry some time after it was set', () => {
    let now = 0;
    const cache = new ExpiringCache<string, number>({ ttlMs: 100, maxEntries: 10, now: () => now });
    cache.set('a', 1);
    now = 99;
    expect(cache.get('a')).toBe(1);
    now = 100;
    expect(cache.get('a')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('drops the oldest when it is full', () => {
    const cache = new ExpiringCache<string, number>({ ttlMs: 100, maxEntries: 2, now: () => 0 });
    cache.set('a', 1);
    cache.set('b', 2);
    cache.set('a', 3);
    cache.set('c', 4);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([3, undefined, 4]);
  });

  it('keeps what was set since', () => {
    const cache = new ExpiringCache<string, object>({ ttlMs: 100, maxEntries: 2, now: () => 0 });
    const [stale, fresh] = [{}, {}];
    cache.set('a', fresh);
    cache.deleteIf('a', stale);
    expect(cache.get('a')).toBe(fresh);
    cache.deleteIf('a', fresh);
    expect(cache.get('a')).toBeUndefined();
  });
});
