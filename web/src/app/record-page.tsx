import { AdjustedDays, RecordedActs } from '../features/public-record/public-record.js';
import { Act } from '../shared/ui/act.js';
import { Page } from './page.js';

export const RecordPage = () => (
  <Page isLong isLight>
    <h1 className="h2 py-6">The public record</h1>
    <Act
      first
      title="Resets, timers, outages"
      lead={
        <p>
          Everything that changed a round from outside its rules, from the same ledger as the rounds. Reasons are the
          operator’s own words.
        </p>
      }
    >
      <RecordedActs />
    </Act>
    <Act
      title="Adjustments"
      lead={
        <p>
          What the operator added to gamers’ balances by hand, and took from them, each day in New York. The reasons are
          about gamers, and not public.
        </p>
      }
    >
      <AdjustedDays />
    </Act>
  </Page>
);
