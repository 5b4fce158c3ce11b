import { useParams } from '@tanstack/react-router';
import { RoundScreen } from '../features/rounds/round-screen.js';
import { useSession } from '../shared/session.queries.js';
import { Page } from './page.js';

export function RoundPage() {
  const { roundId } = useParams({ from: '/rounds/$roundId' });
  const myId = useSession()?.id ?? null;
  return (
    <Page title={`Round ${roundId}`}>
      <RoundScreen key={roundId} roundId={roundId} myId={myId} />
    </Page>
  );
}
