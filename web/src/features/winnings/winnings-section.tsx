import { useSession } from '../../shared/session/session.queries.js';
import { Act } from '../../shared/ui/act.js';
import { Late, latePart } from '../../shared/ui/late.js';
import { Locked } from '../../shared/ui/locked.js';
import { Figures } from './figures.js';
import type { WinningsParts } from './my-winnings.js';
import './winnings.css';

const myWinnings = latePart<WinningsParts>(() => import('./my-winnings.js').then((module) => module.MyWinnings), {
  label: 'Loading your winnings',
  rows: 4,
});

/** What the gamer has won, and what can be done with it. Blurred for visitors. */
export function WinningsSection(parts: WinningsParts) {
  const session = useSession();
  return (
    <Act
      title="My Winnings"
      lead={<p>Jackpots and matrix pay. Withdraw in crypto, or move it to your purchase balance.</p>}
    >
      {session ? (
        <Late part={myWinnings} props={parts} />
      ) : (
        <Locked why="Log in to see your winnings">
          <Figures current={0} total={0} paid={0} />
        </Locked>
      )}
    </Act>
  );
}
