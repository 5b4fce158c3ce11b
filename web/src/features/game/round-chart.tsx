import { useQueryClient } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import type { GamerId } from '../../../../contracts/ids.js';
import { shownBoard, useBoardPart } from '../../shared/board.js';
import { useServerNow } from '../../shared/clock.js';
import { addedText, clockText, counted } from '../../shared/format.js';
import { courseOf, type RoundCourse } from './round-course.js';
import './round-chart.css';

const DRAWN_EVERY_MS = 2_000;
const HEIGHT = 100;

export function RoundChart({ myId }: { myId: GamerId | null }) {
  // Drawn with each phase and every two seconds, not with every purchase.
  useBoardPart((b) => `${b.gameState} ${b.roundId} ${b.lastResult?.roundId} ${b.purchases.length > 0}`);
  const now = useServerNow(DRAWN_EVERY_MS);
  const board = shownBoard(useQueryClient());
  const course = board ? courseOf(board, now) : null;
  if (!board || course === null) {
    return <p className="empty">The chart of a round starts with its first purchase.</p>;
  }
  return <Countdown course={course} myId={myId} secondsPerToken={board.terms.tokenExtensionSeconds} />;
}

interface CountdownProps {
  course: RoundCourse;
  myId: GamerId | null;
  secondsPerToken: number;
}

function Countdown({ course, myId, secondsPerToken }: CountdownProps) {
  const { points, highestSeconds, secondsAtEnd } = course;
  const x = across(course);
  const y = (seconds: number) => HEIGHT - (seconds / Math.max(highestSeconds, 1)) * HEIGHT;
  const line = [
    ...points.flatMap((p) => [`${x(p.atMs)},${y(p.secondsBefore)}`, `${x(p.atMs)},${y(p.secondsAfter)}`]),
    `100,${y(secondsAtEnd)}`,
  ].join(' ');
  const purchases = counted(points.length, 'purchase');
  const after = points.map((p) => `${p.buyerGamerTag} ${clockText(Math.round(p.secondsAfter))}`).join(', ');
  const now = clockText(Math.ceil(secondsAtEnd));
  const highest = clockText(Math.round(highestSeconds));
  return (
    <figure className="course">
      <figcaption className="course-cap">
        <span>On the clock</span>
        <b className="num time">{now}</b>
      </figcaption>
      <div
        className="course-plot"
        role="img"
        aria-label={`Time on the clock after each of the last ${purchases}, ${highest} at the most: ${after}. Now ${now}.`}
      >
        <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <polygon className="course-light" points={`0,${HEIGHT} ${line} 100,${HEIGHT}`} />
          <polyline className="course-time" points={line} />
        </svg>
        {points.map((p) => (
          <i
            key={p.purchaseId}
            className={p.buyerId === myId ? 'is-you' : undefined}
            style={{ '--x': `${x(p.atMs)}%`, '--y': `${(y(p.secondsAfter) / HEIGHT) * 100}%` } as CSSProperties}
            title={`${p.buyerGamerTag}, ${counted(p.quantity, 'token')}, ${addedText(p.quantity * secondsPerToken)}`}
          />
        ))}
        <span className="course-top num">{highest}</span>
      </div>
    </figure>
  );
}

function across({ points, endMs }: RoundCourse): (atMs: number) => number {
  const startMs = points[0]?.atMs ?? endMs;
  const lastsMs = Math.max(endMs - startMs, 1_000);
  return (atMs) => Math.round(((atMs - startMs) / lastsMs) * 10_000) / 100;
}
