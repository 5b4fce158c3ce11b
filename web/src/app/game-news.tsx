import { useLocation } from '@tanstack/react-router';
import { StageBanners } from '../features/game/stage-banners.js';
import { MissedNotice } from '../features/purchases/missed.js';
import { NewWins } from '../features/winnings/new-wins.js';
import { useRefreshOn } from '../shared/api/use-api.js';
import { WINNERS_KEY } from '../shared/winners.js';

export function GameNews() {
  // The winners are fetched again after a reconnect, because messages may be missing.
  useRefreshOn(WINNERS_KEY, 'round:ended', 'socket-connected');
  const isOnStage = useLocation({ select: ({ pathname }) => pathname === '/' });
  return (
    <>
      <NewWins />
      <StageBanners isOnStage={isOnStage} />
      <MissedNotice />
    </>
  );
}
