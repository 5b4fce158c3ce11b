import { Link } from '@tanstack/react-router';
import { PaymentsInReview } from '../features/payments/payments-in-review.js';
import { StatementPanel } from '../features/statement/statement-panel.js';
import { useSession } from '../shared/session.queries.js';
import { Locked } from '../shared/ui/act.js';
import { mainTarget, PageFooter } from './page-frame.js';
import { PageHeader } from './page-header.js';

/** Every movement of a gamer's money, and what they add up to. */
export function StatementPage() {
  const session = useSession();
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
        {session && session.role !== 'admin' ? (
          <>
            <PaymentsInReview gamerId={session.id} />
            <StatementPanel gamerId={session.id} />
          </>
        ) : (
          <Locked why="Log in as a gamer to read your statement">
            <p className="py-6">Every deposit, purchase, prize, transfer and withdrawal.</p>
          </Locked>
        )}
      </main>
      <div className="wrap">
        <PageFooter />
      </div>
    </>
  );
}
