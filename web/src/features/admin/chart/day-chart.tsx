import { formatCents } from '../../../../../contracts/money.js';
import type { NewYorkDay } from '../../../../../contracts/new-york.js';
import { counted } from '../../../shared/format/clock-text.js';
import { barPath, dayLabels, FLOOR, heightOf, scaleOf, shortDay } from './bars.js';

export interface DayValue {
  day: NewYorkDay;
  cents: number;
  count: number;
}

interface DayChartProps {
  /** What is counted: "Deposits credited". */
  what: string;
  /** One of them: "deposit". */
  unit: string;
  /** Today last: its bar is dashed, because the day is open. */
  days: readonly DayValue[];
}

/** One bar a day; the last week on phones. The same numbers can be read as a table. */
export function DayChart({ what, unit, days }: DayChartProps) {
  return (
    <figure className="chart">
      <div className="chart-wide">
        <DayBars what={what} days={days} width={760} />
      </div>
      <div className="chart-slim">
        <DayBars what={what} days={days.slice(-7)} width={340} />
      </div>
      <figcaption className="t12 dim">
        {what}, by New York day. Today is open, hence the dashed bar.
        <details>
          <summary>Read as a table</summary>
          <DayTable unit={unit} days={days} />
        </details>
      </figcaption>
    </figure>
  );
}

function DayBars({ what, days, width }: { what: string; days: readonly DayValue[]; width: number }) {
  const { ticks, bars } = scaleOf(
    days.map(({ cents }) => cents),
    width,
  );
  const labels = dayLabels(days.map(({ day }) => day));
  const top = ticks.at(-1) ?? 0;
  const highest = days.reduce((best, day) => (day.cents > best.cents ? day : best), days[0] ?? noDay);
  return (
    <svg viewBox={`0 -8 ${width} 236`} role="img" aria-label={chartText(what, days, highest)}>
      {ticks.map((tick) => (
        <g key={tick}>
          <path
            d={`M56 ${heightOf(tick, top)}H${width}`}
            stroke="var(--line)"
            strokeDasharray={tick === 0 ? undefined : '2 4'}
          />
          <text x="48" y={heightOf(tick, top) + 4} textAnchor="end">
            ${(tick / 100).toLocaleString('en-US')}
          </text>
        </g>
      ))}
      {days.map(({ day, cents }, i) => {
        const bar = bars[i];
        if (bar === undefined) return null;
        const isToday = i === days.length - 1;
        return (
          <g key={day}>
            {cents > 0 && (
              <path
                d={barPath(bar)}
                fill={isToday ? 'none' : day === highest.day ? 'var(--text)' : 'var(--text-3)'}
                {...(isToday ? { stroke: 'var(--text-2)', strokeWidth: 1.5, strokeDasharray: '3 3' } : {})}
              />
            )}
            {labels[i] && (
              <text x={bar.x + bar.width / 2} y={FLOOR + 20} textAnchor="middle">
                {labels[i]}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function DayTable({ unit, days }: { unit: string; days: readonly DayValue[] }) {
  return (
    <table className="tbl">
      <thead>
        <tr>
          <th>Day</th>
          <th className="r">Amount</th>
          <th className="r">Count</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, cents, count }) => (
          <tr key={day}>
            <td>{shortDay(day)}</td>
            <td className="r num">{formatCents(cents)}</td>
            <td className="r num">{counted(count, unit)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const noDay: DayValue = { day: '', cents: 0, count: 0 };

function chartText(what: string, days: readonly DayValue[], highest: DayValue): string {
  const first = days[0] ?? noDay;
  const today = days.at(-1) ?? noDay;
  return `${what} per day, ${shortDay(first.day)} to ${shortDay(today.day)}. Highest ${formatCents(highest.cents)} on ${shortDay(highest.day)}; today so far ${formatCents(today.cents)}.`;
}
