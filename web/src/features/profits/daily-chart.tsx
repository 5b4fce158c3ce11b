import type { DailyTotalsResponse, DayTotals } from '../../../../contracts/http/profits.js';
import { DAILY_TOTALS_DAYS } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import type { NewYorkDay } from '../../../../contracts/new-york.js';
import { useApi } from '../../shared/api/use-api.js';
import { counted, numberText, shortDayText } from '../../shared/format.js';
import { QueryResult, TableHead } from '../../shared/ui/query-result.js';

export const dailyTotalsKey = ['/api', 'admin', 'daily-totals'] as const;

interface Day {
  day: NewYorkDay;
  cents: number;
  count: number;
}

const charts = {
  profit: {
    what: 'Profit',
    unit: 'purchase',
    empty: 'No token was bought in the last 30 days.',
    valuesOf: ({ day, profitCents, purchases }: DayTotals): Day => ({ day, cents: profitCents, count: purchases }),
  },
  deposits: {
    what: 'Deposits credited (without the fee)',
    unit: 'deposit',
    empty: 'No deposit was credited in the last 30 days.',
    valuesOf: ({ day, depositsCents, deposits }: DayTotals): Day => ({ day, cents: depositsCents, count: deposits }),
  },
};

export function DailyChart({ show }: { show: keyof typeof charts }) {
  const { what, unit, empty, valuesOf } = charts[show];
  const query = useApi<DailyTotalsResponse>([...dailyTotalsKey, { days: DAILY_TOTALS_DAYS }]);
  return (
    <QueryResult query={query} what="daily totals" rows={3}>
      {({ days: totals }) => {
        const days = totals.map(valuesOf);
        const busy = days.filter(({ count }) => count > 0);
        const [only] = busy;
        if (only === undefined) return <p className="empty">{empty}</p>;
        if (busy.length === 1) return <p className="t14 dim">{describeOnly(what, unit, only)}</p>;
        return (
          <figure className="chart">
            <div className="chart-wide">
              <Bars what={what} days={days} width={760} />
            </div>
            <div className="chart-slim">
              <Bars what={what} days={days.slice(-7)} width={340} />
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
      }}
    </QueryResult>
  );
}

const noDay: Day = { day: '', cents: 0, count: 0 };

function Bars({ what, days, width }: { what: string; days: readonly Day[]; width: number }) {
  const amounts = days.map(({ cents }) => cents);
  const { ticks, bars } = scaleOf(amounts, width);
  const labels = dayLabels(days.map(({ day }) => day));
  const top = ticks.at(-1) ?? 0;
  const highest = days[amounts.indexOf(Math.max(...amounts))] ?? noDay;
  return (
    <svg viewBox={`0 -4 ${width} ${FLOOR + 30}`} role="img" aria-label={describeChart(what, days, highest)}>
      {ticks.map((tick) => (
        <g key={tick}>
          <path
            d={`M56 ${heightOf(tick, top)}H${width}`}
            stroke="var(--line)"
            strokeDasharray={tick === 0 ? undefined : '2 4'}
          />
          <text x="48" y={heightOf(tick, top) + 4} textAnchor="end">
            ${numberText(tick / 100)}
          </text>
        </g>
      ))}
      {bars.map((bar, i) => {
        const { day, cents } = days[i] ?? noDay;
        const isToday = i === days.length - 1;
        const colour = day === highest.day ? 'var(--text)' : 'var(--text-3)';
        return (
          <g key={day}>
            {cents > 0 && (
              <path
                d={barPath(bar)}
                fill={isToday ? 'none' : colour}
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

const DayTable = ({ unit, days }: { unit: string; days: readonly Day[] }) => (
  <table className="tbl">
    <TableHead columns={['Day', 'Amount', 'Count']} right={2} />
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

const describeOnly = (what: string, unit: string, { day, cents, count }: Day): string =>
  `${what} in the last 30 days: ${formatCents(cents)} from ${counted(count, unit)}, all on ${shortDay(day)}.`;

function describeChart(what: string, days: readonly Day[], highest: Day): string {
  const first = days[0] ?? noDay;
  const today = days.at(-1) ?? noDay;
  return `${what} per day, ${shortDay(first.day)} to ${shortDay(today.day)}. Highest ${formatCents(highest.cents)} on ${shortDay(highest.day)}; today so far ${formatCents(today.cents)}.`;
}

interface Bar {
  x: number;
  width: number;
  /** The bar's top edge, measured downwards; its bottom edge is `FLOOR`. */
  y: number;
}

/** Lengths in units of the SVG's viewBox. */
export const FLOOR = 96;
const CEILING = 10;
const LEFT = 56;
const ARCH_HEIGHT = 9;
const MAX_LABELS = 15;

/** One bar for each of `values` (cents), and ticks at round dollar amounts from zero up. */
export function scaleOf(values: readonly number[], width: number): { ticks: number[]; bars: Bar[] } {
  const highest = Math.max(...values, 100);
  const step = roundStep(highest / 3);
  const top = Math.ceil(highest / step) * step;
  const slot = (width - LEFT) / values.length;
  const bars = values.map((value, i) => ({
    x: LEFT + i * slot + slot * 0.1,
    width: slot * 0.8,
    y: heightOf(value, top),
  }));
  return { ticks: Array.from({ length: top / step + 1 }, (_, i) => i * step), bars };
}

/** The next of 1, 2, 5, 10, 20, 50 … dollars, in cents. */
function roundStep(cents: number): number {
  const power = 100 * 10 ** Math.floor(Math.log10(Math.max(cents, 100) / 100));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= cents) ?? 10);
}

export const heightOf = (value: number, top: number): number => FLOOR - (value / top) * (FLOOR - CEILING);

/** The SVG path of a bar in the shape of a lamp: straight sides with an arch on top. */
export function barPath({ x, width, y }: Bar): string {
  const shoulder = Math.min(FLOOR, y + ARCH_HEIGHT);
  return `M${x} ${FLOOR}V${shoulder}a${width / 2} ${shoulder - y} 0 0 1 ${width} 0V${FLOOR}z`;
}

/** 17:00 UTC is noon or 1 PM in New York, so it is the same day there all year. */
const shortDay = (day: NewYorkDay): string => shortDayText(Date.parse(`${day}T17:00:00Z`));

/** A label for each day, empty where it would not fit. The first label, and the first of each month, name the month. */
export function dayLabels(days: readonly NewYorkDay[]): string[] {
  const every = Math.ceil(days.length / MAX_LABELS);
  let month = '';
  return days.map((day, i) => {
    if ((days.length - 1 - i) % every !== 0) return '';
    const isNewMonth = day.slice(0, 7) !== month;
    month = day.slice(0, 7);
    return isNewMonth ? shortDay(day) : day.slice(-2);
  });
}
