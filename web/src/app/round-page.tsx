import { useParams } from '@tanstack/react-router';
import { RoundScreen } from '../features/rounds/round-screen.js';
import { Page } from './page.js';

export function RoundPage() {
  const { roundId } = useParams({ from: '/rounds/$roundId' });
  return (
    <Page title={`Round ${roundId}`}>
      <RoundScreen key={roundId} roundId={roundId} />
    </Page>
  );
}
