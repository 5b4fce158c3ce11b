import type { GamerId } from '../../../contracts/ids.js';
import { PlayWatch } from '../features/protection/play-watch.js';
import { AnswerMark } from '../features/support/answer-mark.js';

/** What a gamer's header watches on every page; fetched after the first load. */
export const HeaderWatch = ({ gamerId }: { gamerId: GamerId }) => (
  <>
    <PlayWatch gamerId={gamerId} />
    <AnswerMark />
  </>
);
