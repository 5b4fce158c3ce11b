import { useEffect, useState } from 'react';
import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import { beep } from '../../shared/beep.js';
import { usePageEvent } from '../../shared/live/live-events.js';
import { inNextTurn } from '../../shared/live/render-turns.js';
import { announce, keepClear } from '../../shared/ui/toasts.js';
import { advance, type Banner, enqueue, isLeaving, nextChangeAtMs, noBanners } from './banners.js';
import './stage-banners.css';

export function StageBanners({ myId }: { myId: GamerId | null }) {
  const current = useBanners(myId);
  if (!current) return null;
  const { banner, leaving } = current;
  if (banner.kind === 'winner') {
    return (
      <div ref={keepClear} className={`winner ${leaving ? 'is-leaving' : ''}`} role="status">
        <p>WINNER!</p>
        <b>{banner.gamerTag}</b>
        <strong className="num">{formatCents(banner.jackpotCents)}</strong>
        <p>{banner.isYou ? 'Congratulations on your jackpot win!' : 'won the jackpot as the last buyer.'}</p>
      </div>
    );
  }
  return (
    <p
      ref={keepClear}
      className={banner.kind === 'live' ? 'extend extend--live' : 'extend'}
      role={banner.kind === 'live' ? 'status' : undefined}
    >
      {banner.message}
    </p>
  );
}

function useBanners(myId: GamerId | null) {
  const [queue, setQueue] = useState(noBanners);
  const [now, setNow] = useState(0);
  const show = (banner: Banner) => {
    setNow(performance.now());
    setQueue((q) => enqueue(q, banner, performance.now()));
  };

  usePageEvent('round:ended', ({ roundId, winner, jackpotCents }) => {
    if (!winner) return;
    const isYou = winner.id === myId;
    show({ kind: 'winner', key: `winner-${roundId}`, gamerTag: winner.gamerTag, jackpotCents, isYou });
    announce(`${winner.gamerTag} won ${formatCents(jackpotCents)}`);
    // Its code may fail to load; the win does not depend on it.
    if (isYou) celebrate().catch(() => undefined);
  });
  usePageEvent('game:time-extended', ({ version, message }) =>
    inNextTurn('extension', () => show({ kind: 'extension', key: `extension-${version}`, message })),
  );
  usePageEvent('seamless-transition', ({ message }) => {
    show({ kind: 'live', key: `live-${performance.now()}`, message });
    beep();
  });

  useEffect(() => {
    const at = nextChangeAtMs(queue, now);
    if (at === null) return;
    const timer = setTimeout(
      () => {
        setNow(performance.now());
        setQueue((q) => advance(q, performance.now()));
      },
      Math.max(0, at - performance.now()) + 1,
    );
    return () => clearTimeout(timer);
  }, [queue, now]);

  return queue.current && { banner: queue.current.banner, leaving: isLeaving(queue.current, now) };
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
  // Without a worker, because the page's security policy allows no generated scripts.
  const fire = confetti.create(canvas, { resize: true, useWorker: false, disableForReducedMotion: true });
  const burst = { colors, particleCount: 60, spread: 70, startVelocity: 42, ticks: 160, scalar: 0.9 };
  await Promise.all([
    fire({ ...burst, angle: 60, origin: { x: 0, y: 0.9 } }),
    fire({ ...burst, angle: 120, origin: { x: 1, y: 0.9 } }),
  ]);
  canvas.remove();
}
