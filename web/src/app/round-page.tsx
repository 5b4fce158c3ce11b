import { Link, useParams } from '@tanstack/react-router';
import { RoundScreen } from '../features/rounds/round-screen.js';
import { useSession } from '../shared/session.queries.js';
import { mainTarget, PageFooter } from './page-frame.js';
import { PageHeader } from './page-header.js';

/** Public: a round, past or open. */
export function RoundPage() {
  const { roundId } = useParams({ from: '/rounds/$roundId' });
  const myId = useSession()?.id ?? null;
  return (
    <>
      <PageHeader />
      <main className="wrap" {...mainTarget}>
        <div className="flex flex-wrap items-center justify-between gap-4 py-6">
          <h1 className="h2">Round {roundId}</h1>
          <Link className="btn btn--act" to="/">
            Return to Game
          </Link>
        </div>
        <RoundScreen key={roundId} roundId={roundId} myId={myId} />
      </main>
      <div className="wrap">
        <PageFooter />
      </div>
    </>
  );
}
