import { Act, NeedsSession } from '../../shared/ui/act.js';
import { lazy } from '../../shared/ui/lazy.js';
import { Figures } from './figures.js';
import type { MyWinningsProps } from './my-winnings.js';
import './winnings.css';

const MyWinnings = lazy(() => import('./my-winnings.js'), 'MyWinnings', 'your winnings', 4);

const NOTHING = {
  totalWinningsCents: 0,
  transferredCents: 0,
  personalWithdrawalsPaidCents: 0,
  reservedCents: 0,
  currentWinningsCents: 0,
};

export const WinningsSection = (props: Omit<MyWinningsProps, 'role'>) => (
  <Act
    title="My Winnings"
    lead={<p>Jackpots and matrix winnings. Withdraw them in crypto, or move them to your purchase balance.</p>}
  >
    <NeedsSession why="Log in to see your winnings" preview={<Figures balances={NOTHING} />}>
      {({ role }) => <MyWinnings {...props} role={role} />}
    </NeedsSession>
  </Act>
);
