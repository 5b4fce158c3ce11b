import { type CSSProperties, useMemo, useRef } from 'react';
import type { AuditRound } from '../../../../../contracts/http/audit.js';
import { useWidth } from '../../../shared/ui/use-width.js';
import { numberText } from '../audit-words.js';
import { placeOf, strokesOf } from './strokes.js';

/** However wide: more would be a grey band. */
const MOST_STROKES = 400;
const STROKE_EVERY_PX = 3;
const WIDTH_AT_FIRST_PX = 1_000;

interface MomentSliderProps {
  number: number;
  lastNumber: number;
  rounds: readonly AuditRound[];
  /** Of the event, once it is known. */
  timeText: string | null;
  onSlide: (number: number) => void;
}

/** From the first event to the last; the keyboard's arrows go event by event. */
export function MomentSlider({ number, lastNumber, rounds, timeText, onSlide }: MomentSliderProps) {
  const root = useRef<HTMLDivElement>(null);
  const width = useWidth(root, WIDTH_AT_FIRST_PX);
  const most = Math.max(1, Math.min(MOST_STROKES, Math.floor(width / STROKE_EVERY_PX)));
  const strokes = useMemo(
    () =>
      strokesOf(
        rounds.map(({ endedNumber }) => endedNumber),
        lastNumber,
        most,
      )
        .map((place) => `M${(place * 1000).toFixed(1)} 12V26`)
        .join(''),
    [rounds, lastNumber, most],
  );
  const place = placeOf(number, lastNumber);
  return (
    <div ref={root} className="slide" style={{ '--at': place } as CSSProperties}>
      <svg className="ticks" viewBox="0 0 1000 30" preserveAspectRatio="none" aria-hidden="true">
        <path d={strokes} stroke="var(--line-strong)" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
      </svg>
      <input
        type="range"
        min={1}
        max={Math.max(1, lastNumber)}
        step={1}
        value={number}
        aria-label="Moment in the ledger"
        aria-valuetext={`Event ${numberText(number)}${timeText === null ? '' : `, ${timeText}`}`}
        onChange={(event) => onSlide(Number(event.target.value))}
      />
    </div>
  );
}
