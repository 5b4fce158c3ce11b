import { useEffect, useState } from 'react';
import { beep } from '../../shared/beep.js';
import { formatCents } from '../../shared/format.js';
import { usePageEvent } from '../../shared/live/live-events.js';
import { inNextTurn } from '../../shared/live/render-turns.js';
import { useMyId } from '../../shared/session.queries.js';
import { announce, keepClear } from '../../shared/ui/toasts.js';
import './stage-banners.css';

/** Every page says who won; the others belong to the stage. */
export function StageBanners({ isOnStage }: { isOnStage: boolean }) {
  const banner = useBanner(isOnStage);
  if (banner === null) return null;
  if (banner.kind === 'winner') {
    return (
      <div key={banner.key} ref={keepClear} className="winner" role="status">
        <p>WINNER!</p>
        <b>{banner.gamerTag}</b>
        <strong className="num">{formatCents(banner.jackpotCents)}</strong>
        <p>{banner.isYou ? 'Congratulations on your jackpot win!' : 'won the jackpot as the last buyer.'}</p>
      </div>
    );
  }
  return (
    <p
      key={banner.key}
      ref={keepClear}
      className={banner.kind === 'live' ? 'extend extend--live' : 'extend'}
      role="status"
      aria-live={banner.kind === 'live' ? 'polite' : 'off'}
    >
      {banner.message}
    </p>
  );
}

function useBanner(isOnStage: boolean): Banner | null {
  const myId = useMyId();
  const [queue, setQueue] = useState(noBanners);
  const show = (banner: Banner) => setQueue((q) => enqueue(q, banner, performance.now()));
  usePageEvent('round:ended', ({ roundId, winner, jackpotCents }) => {
    if (!winner) return;
    const isYou = winner.id === myId;
    show({ kind: 'winner', key: `winner-${roundId}`, gamerTag: winner.gamerTag, jackpotCents, isYou });
    announce(`${winner.gamerTag} won ${formatCents(jackpotCents)}`);
    // The celebration's code may fail to load; the win does not depend on it.
    if (isYou) celebrate().catch(() => undefined);
  });
  usePageEvent('game:time-extended', ({ version, message }) => {
    if (isOnStage) inNextTurn('extension', () => show({ kind: 'extension', key: `extension-${version}`, message }));
  });
  usePageEvent('seamless-transition', ({ message }) => {
    if (!isOnStage) return;
    show({ kind: 'live', key: `live-${performance.now()}`, message });
    beep();
  });
  useEffect(() => {
    if (queue.current === null) return;
    // Another object each time: a timer that came too early is set again.
    const next = () => setQueue((q) => ({ ...advance(q, performance.now()) }));
    const timer = setTimeout(next, Math.max(0, goneAtMonotonicMs(queue.current) - performance.now()) + 1);
    return () => clearTimeout(timer);
  }, [queue]);
  return queue.current?.banner ?? null;
}

/** Confetti on the winner's own screen; nothing when the device asks for reduced motion. */
async function celebrate(): Promise<void> {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const { default: confetti } = await import('canvas-confetti');
  const style = getComputedStyle(document.documentElement);
  const colors = ['--time', '--time-hot', '--won', '--text'].map((name) => style.getPropertyValue(name).trim());
  const canvas = document.createElement('canvas');
  canvas.className = 'celebration';
  canvas.setAttribute('aria-hidden', 'true');
  document.body.append(canvas);
  // Uses no worker, because the page's security policy allows no generated scripts.
  const fire = confetti.create(canvas, { resize: true, useWorker: false, disableForReducedMotion: true });
  const burst = { colors, particleCount: 60, spread: 70, startVelocity: 42, ticks: 160, scalar: 0.9 };
  await Promise.all([
    fire({ ...burst, angle: 60, origin: { x: 0, y: 0.9 } }),
    fire({ ...burst, angle: 120, origin: { x: 1, y: 0.9 } }),
  ]);
  canvas.remove();
}

/** One at a time: a winner is shown at once, an extension replaces the previous one, the others wait or go stale. */
export type Banner =
  | { kind: 'winner'; key: string; gamerTag: string; jackpotCents: number; isYou: boolean }
  | { kind: 'live'; key: string; message: string }
  | { kind: 'extension'; key: string; message: string };

/** Specification §9; the winner's last half second is the fade. An extension goes stale after the live banner, for which it may wait. */
const TIMES = {
  winner: { shownMs: 8_500, staleAfterMs: Number.POSITIVE_INFINITY },
  live: { shownMs: 5_000, staleAfterMs: 5_000 },
  extension: { shownMs: 3_000, staleAfterMs: 6_000 },
};

interface BannerQueue {
  current: { banner: Banner; shownAtMonotonicMs: number } | null;
  waiting: { banner: Banner; sinceMonotonicMs: number }[];
}

export const noBanners: BannerQueue = { current: null, waiting: [] };

export function enqueue(queue: BannerQueue, banner: Banner, nowMonotonicMs: number): BannerQueue {
  const { current, waiting } = advance(queue, nowMonotonicMs);
  if (current?.banner.key === banner.key || waiting.some((w) => w.banner.key === banner.key))
    return { current, waiting };
  const replaces = current?.banner.kind === banner.kind && banner.kind !== 'winner';
  const goesFirst = banner.kind === 'winner' && current?.banner.kind !== 'winner';
  if (!current || replaces || goesFirst) return { current: { banner, shownAtMonotonicMs: nowMonotonicMs }, waiting };
  const others = banner.kind === 'extension' ? waiting.filter((w) => w.banner.kind !== 'extension') : waiting;
  return { current, waiting: [...others, { banner, sinceMonotonicMs: nowMonotonicMs }] };
}

export function advance(queue: BannerQueue, nowMonotonicMs: number): BannerQueue {
  if (queue.current && nowMonotonicMs < goneAtMonotonicMs(queue.current)) return queue;
  const fresh = queue.waiting.filter((w) => nowMonotonicMs - w.sinceMonotonicMs < TIMES[w.banner.kind].staleAfterMs);
  const next = fresh.find((w) => w.banner.kind === 'winner') ?? fresh[0];
  if (!next) return queue.current === null && queue.waiting.length === 0 ? queue : noBanners;
  const waiting = fresh.filter((w) => w !== next);
  return { current: { banner: next.banner, shownAtMonotonicMs: nowMonotonicMs }, waiting };
}

const goneAtMonotonicMs = ({ banner, shownAtMonotonicMs }: NonNullable<BannerQueue['current']>): number =>
  shownAtMonotonicMs + TIMES[banner.kind].shownMs;
