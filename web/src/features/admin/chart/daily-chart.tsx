import type { DayTotals } from '../../../../../contracts/http/admin.js';
import { Listed } from '../../../shared/ui/listed.js';
import { useDailyTotals } from './daily-totals.queries.js';
import { DayChart, type DayValue } from './day-chart.js';

const charts = {
  profit: {
    what: 'Profit',
    unit: 'purchase',
    empty: 'No token was bought in the last 30 days.',
    of: ({ day, profitCents, purchases }: DayTotals): DayValue => ({ day, cents: profitCents, count: purchases }),
  },
  deposits: {
    what: 'Deposits credited, without the fee',
    unit: 'deposit',
    empty: 'No deposit was credited in the last 30 days.',
    of: ({ day, depositsCents, deposits }: DayTotals): DayValue => ({ day, cents: depositsCents, count: deposits }),
  },
};

/** The last days as the server totals them, whatever part of a list is here. */
export function DailyChart({ show }: { show: keyof typeof charts }) {
  const query = useDailyTotals();
  const { what, unit, empty, of } = charts[show];
  return (
    <Listed query={query} what="daily totals" rows={3}>
      {({ days }) => {
        const values = days.map(of);
        if (values.every(({ count }) => count === 0)) return <p className="empty">{empty}</p>;
        return <DayChart what={what} unit={unit} days={values} />;
      }}
    </Listed>
  );
}
