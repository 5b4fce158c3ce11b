import { useLocation } from '@tanstack/react-router';
import { StageBanners } from '../features/game/stage-banners.js';
import { LeadLostNotice, MissedNotice } from '../features/purchases/missed.js';
import { NewWins } from '../features/winnings/new-wins.js';

/** What happens in the game, announced on every page. */
export function GameNews() {
  const isOnStage = useLocation({ select: ({ pathname }) => pathname === '/' });
  return (
    <>
      <NewWins />
      <StageBanners isOnStage={isOnStage} />
      {!isOnStage && <LeadLostNotice />}
      <MissedNotice />
    </>
  );
}
