import { Link } from '@tanstack/react-router';
import { PaymentsInReview } from '../features/payments/payments-in-review.js';
import { StatementPanel } from '../features/statement/statement-panel.js';
import { NeedsSession } from '../shared/ui/needs-session.js';
import { mainTarget, PageFooter } from './page-frame.js';
import { PageHeader } from './page-header.js';

/** Every movement of a gamer's money, and what they add up to. */
export function StatementPage() {
  return (
    <>
      <PageHeader />
      <main className="wrap" {...mainTarget}>
        <div className="flex flex-wrap items-center justify-between gap-4 py-6">
          <h1 className="h2">My Statement</h1>
          <Link className="btn btn--act" to="/">
            Return to Game
          </Link>
        </div>
        <NeedsSession
          why="Log in as a gamer to read your statement"
          preview={<p className="py-6">Every deposit, purchase, prize, transfer and withdrawal.</p>}
          isFor={({ role }) => role !== 'admin'}
        >
          {({ id }) => (
            <>
              <PaymentsInReview gamerId={id} />
              <StatementPanel gamerId={id} />
            </>
          )}
        </NeedsSession>
      </main>
      <div className="wrap">
        <PageFooter />
      </div>
    </>
  );
}
