/**
 * One banner at a time: a winner is shown at once, an extension replaces the previous one, the others wait or go
 * stale.
 */
export type Banner =
  | { kind: 'winner'; key: string; gamerTag: string; jackpotCents: number; isYou: boolean }
  | { kind: 'live'; key: string; message: string }
  | { kind: 'extension'; key: string; message: string };

/** Specification §9. */
const SHOWN_MS: Record<Banner['kind'], number> = { winner: 8_000, live: 5_000, extension: 3_000 };
const FADE_MS: Record<Banner['kind'], number> = { winner: 500, live: 0, extension: 0 };
const STALE_AFTER_MS: Record<Banner['kind'], number> = {
  winner: Number.POSITIVE_INFINITY,
  live: 5_000,
  // Longer than the live banner is shown.
  extension: 6_000,
};

interface BannerQueue {
  current: { banner: Banner; shownAtMs: number } | null;
  waiting: { banner: Banner; sinceMs: number }[];
}

export const noBanners: BannerQueue = { current: null, waiting: [] };

export function enqueue(queue: BannerQueue, banner: Banner, nowMs: number): BannerQueue {
  const { current, waiting } = advance(queue, nowMs);
  if (current?.banner.key === banner.key || waiting.some((w) => w.banner.key === banner.key))
    return { current, waiting };
  const replaces = current?.banner.kind === banner.kind && banner.kind !== 'winner';
  const goesFirst = banner.kind === 'winner' && current?.banner.kind !== 'winner';
  if (current === null || replaces || goesFirst) return { current: { banner, shownAtMs: nowMs }, waiting };
  const others = banner.kind === 'extension' ? waiting.filter((w) => w.banner.kind !== 'extension') : waiting;
  return { current, waiting: [...others, { banner, sinceMs: nowMs }] };
}

export function advance(queue: BannerQueue, nowMs: number): BannerQueue {
  if (queue.current && nowMs < goneAtMs(queue.current)) return queue;
  const fresh = queue.waiting.filter((w) => nowMs - w.sinceMs < STALE_AFTER_MS[w.banner.kind]);
  const next = fresh.find((w) => w.banner.kind === 'winner') ?? fresh[0];
  if (!next) return queue.current === null && queue.waiting.length === 0 ? queue : noBanners;
  return { current: { banner: next.banner, shownAtMs: nowMs }, waiting: fresh.filter((w) => w !== next) };
}

export function isLeaving(current: NonNullable<BannerQueue['current']>, nowMs: number): boolean {
  return nowMs >= current.shownAtMs + SHOWN_MS[current.banner.kind];
}

/** When the display changes next, because a fade begins or the banner ends; null without a banner. */
export function nextChangeAtMs(queue: BannerQueue, nowMs: number): number | null {
  if (!queue.current) return null;
  const leavesAt = queue.current.shownAtMs + SHOWN_MS[queue.current.banner.kind];
  return nowMs < leavesAt ? leavesAt : goneAtMs(queue.current);
}

const goneAtMs = (current: NonNullable<BannerQueue['current']>): number =>
  current.shownAtMs + SHOWN_MS[current.banner.kind] + FADE_MS[current.banner.kind];
