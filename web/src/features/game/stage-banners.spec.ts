import { type Banner, noBanners, withBanner } from './stage-banners.js';

const message = (kind: 'live' | 'extension', key: string): Banner => ({ kind, key, message: '+0:30 from Kestrel' });
const winner: Banner = { kind: 'winner', key: 'w', gamerTag: 'nova_kid', jackpotCents: 54_847, isYou: false };

it.each([
  ['an extension replaces an extension', [message('extension', 'a'), message('extension', 'b')], 'b', undefined],
  ['an extension waits for the live banner', [message('live', 'l'), message('extension', 'a')], 'l', 'a'],
  ['of two that wait the newer is kept', [winner, message('extension', 'a'), message('extension', 'b')], 'w', 'b'],
  ['a winner is shown at once', [message('live', 'l'), winner], 'w', undefined],
])('%s', (_, banners, current, next) => {
  const shown = banners.reduce(withBanner, noBanners);
  expect([shown.current?.key, shown.next?.key]).toEqual([current, next]);
});
