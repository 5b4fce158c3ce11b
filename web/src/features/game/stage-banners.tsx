import { useEffect, useState } from 'react';
import { beep } from '../../shared/beep.js';
import { formatCents } from '../../shared/format.js';
import { batchUpdate, usePageEvent } from '../../shared/live/live-events.js';
import { useMyId } from '../../shared/session.queries.js';
import { announce, keepClear } from '../../shared/ui/toasts.js';
import './stage-banners.css';

/** The winner's banner is shown on every page, the other banners only on the stage's page. */
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
  const [{ current }, setBanners] = useState(noBanners);
  const show = (banner: Banner) => setBanners((banners) => withBanner(banners, banner));
  usePageEvent('round:ended', ({ roundId, winner, jackpotCents }) => {
    if (!winner) return;
    const isYou = winner.id === myId;
    show({ kind: 'winner', key: `winner-${roundId}`, gamerTag: winner.gamerTag, jackpotCents, isYou });
    announce(`${winner.gamerTag} won ${formatCents(jackpotCents)}`);
    // The celebration's code may fail to load; the win does not depend on it.
    if (isYou) celebrate().catch(() => undefined);
  });
  usePageEvent('game:time-extended', ({ version, message }) => {
    if (isOnStage) batchUpdate('extension', () => show({ kind: 'extension', key: `extension-${version}`, message }));
  });
  usePageEvent('seamless-transition', ({ message }) => {
    if (!isOnStage) return;
    show({ kind: 'live', key: `live-${performance.now()}`, message });
    beep();
  });
  useEffect(() => {
    if (current === null) return;
    const timer = setTimeout(() => setBanners(({ next }) => ({ current: next, next: null })), SHOWN_MS[current.kind]);
    return () => clearTimeout(timer);
  }, [current]);
  return current;
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

/** Specification §9; the winner's last half second is the fade. */
const SHOWN_MS = { winner: 8_500, live: 5_000, extension: 3_000 };

export type Banner =
  | { kind: 'winner'; key: string; gamerTag: string; jackpotCents: number; isYou: boolean }
  | { kind: 'live' | 'extension'; key: string; message: string };

interface Banners {
  current: Banner | null;
  next: Banner | null;
}

export const noBanners: Banners = { current: null, next: null };

/** One at a time: a winner is shown at once, a banner replaces one of its kind, any other waits until the current one goes. */
export function withBanner({ current, next }: Banners, banner: Banner): Banners {
  const isFirst = current === null || banner.kind === 'winner' || banner.kind === current.kind;
  return isFirst ? { current: banner, next } : { current, next: banner };
}
