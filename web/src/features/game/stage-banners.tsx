import { useEffect, useState } from 'react';
import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import { addedText } from '../../shared/format/clock-text.js';
import { usePageEvent } from '../../shared/live/live-events.js';
import { beep } from '../../shared/sound/beep.js';
import { announce } from '../../shared/ui/announcer.js';
import { advance, type Banner, enqueue, isLeaving, nextChangeAtMs, noBanners } from './banners.js';
import { celebrate } from './celebrate.js';
import './stage-banners.css';

/** Over the stage: what just happened. The winner is shown wherever on the page the gamer is. */
export function StageBanners({ isAway, myId }: { isAway: boolean; myId: GamerId | null }) {
  const current = useBanners(myId);
  if (!current) return null;
  const { banner, leaving } = current;
  if (banner.kind === 'winner') {
    return (
      <div className={`winner ${leaving ? 'is-leaving' : ''} ${isAway ? 'is-away' : ''}`} role="status">
        <p>WINNER!</p>
        <b>{banner.gamerTag}</b>
        <strong className="num">{formatCents(banner.jackpotCents)}</strong>
        <p>Congratulations on your jackpot win!</p>
      </div>
    );
  }
  return (
    <p
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
    show({ kind: 'winner', key: `winner-${roundId}`, gamerTag: winner.gamerTag, jackpotCents });
    announce(`${winner.gamerTag} won ${formatCents(jackpotCents)}`);
    // A celebration that could not be fetched is missed by nobody.
    if (winner.id === myId) celebrate().catch(() => undefined);
  });
  usePageEvent('game:time-extended', ({ version, message, timeAddedSeconds, buyerGamerTag }) =>
    show({
      kind: 'extension',
      key: `extension-${version}`,
      message: message || `${addedText(timeAddedSeconds)} from ${buyerGamerTag}`,
    }),
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
