import { useQueryClient } from '@tanstack/react-query';
import type { CSSProperties, ReactNode } from 'react';
import type { GamerId } from '../../../../contracts/ids.js';
import { JACKPOT_SHARE_CENTS } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
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
  const course = board ? courseOf(board, JACKPOT_SHARE_CENTS, now) : null;
  if (!board || course === null) {
    return <p className="empty">The chart of a round starts with its first purchase.</p>;
  }
  const isPaid = board.gameState === 'downtime' && board.lastResult?.winner != null;
  return (
    <div className="course">
      <Countdown course={course} myId={myId} secondsPerToken={board.terms.tokenExtensionSeconds} />
      <Jackpot course={course} isPaid={isPaid} />
    </div>
  );
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
  return (
    <Plot
      name="On the clock"
      value={<b className="num time">{clockText(Math.ceil(secondsAtEnd))}</b>}
      description={`Time on the clock after each of the last ${purchases}, ${clockText(Math.round(highestSeconds))} at the most: ${points.map((p) => `${p.buyerGamerTag} ${clockText(Math.round(p.secondsAfter))}`).join(', ')}. Now ${clockText(Math.ceil(secondsAtEnd))}.`}
      lines={
        <>
          <polygon className="course-light" points={`0,${HEIGHT} ${line} 100,${HEIGHT}`} />
          <polyline className="course-time" points={line} />
        </>
      }
    >
      {points.map((p) => (
        <i
          key={p.purchaseId}
          className={p.buyerId === myId ? 'is-you' : undefined}
          style={{ '--x': `${x(p.atMs)}%`, '--y': `${(y(p.secondsAfter) / HEIGHT) * 100}%` } as CSSProperties}
          title={`${p.buyerGamerTag}, ${counted(p.quantity, 'token')}, ${addedText(p.quantity * secondsPerToken)}`}
        />
      ))}
      <span className="course-top num">{clockText(Math.round(highestSeconds))}</span>
    </Plot>
  );
}

function Jackpot({ course, isPaid }: { course: RoundCourse; isPaid: boolean }) {
  const { points, jackpotBeforeCents, jackpotCents } = course;
  const x = across(course);
  const grown = Math.max(jackpotCents - jackpotBeforeCents, 1);
  const y = (cents: number) => HEIGHT - 8 - ((cents - jackpotBeforeCents) / grown) * (HEIGHT - 16);
  const steps: string[] = [];
  let cents = jackpotBeforeCents;
  for (const point of points) {
    steps.push(`${x(point.atMs)},${y(cents)}`, `${x(point.atMs)},${y(point.jackpotCents)}`);
    cents = point.jackpotCents;
  }
  steps.push(`100,${y(cents)}`);
  return (
    <Plot
      isLow
      name={isPaid ? 'Jackpot, paid' : 'Jackpot'}
      value={<b className={`num ${isPaid ? 'won' : ''}`}>{formatCents(jackpotCents)}</b>}
      description={`The jackpot grew from ${formatCents(jackpotBeforeCents)} to ${formatCents(jackpotCents)}, a step with each purchase.`}
      lines={<polyline className={isPaid ? 'course-jackpot is-paid' : 'course-jackpot'} points={steps.join(' ')} />}
    >
      <span className="course-foot num">from {formatCents(jackpotBeforeCents)}</span>
    </Plot>
  );
}

interface PlotProps {
  name: string;
  value: ReactNode;
  description: string;
  isLow?: boolean;
  lines: ReactNode;
  children: ReactNode;
}

const Plot = ({ name, value, description, isLow = false, lines, children }: PlotProps) => (
  <figure>
    <figcaption className="course-cap">
      <span>{name}</span>
      {value}
    </figcaption>
    <div className={isLow ? 'course-plot course-plot--low' : 'course-plot'} role="img" aria-label={description}>
      <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {lines}
      </svg>
      {children}
    </div>
  </figure>
);

function across({ points, endMs }: RoundCourse): (atMs: number) => number {
  const startMs = points[0]?.atMs ?? endMs;
  const lastsMs = Math.max(endMs - startMs, 1_000);
  return (atMs) => Math.round(((atMs - startMs) / lastsMs) * 10_000) / 100;
}
