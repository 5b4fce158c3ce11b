import { Link } from '@tanstack/react-router';
import { VerifyScreen } from '../features/receipts/verify-screen.js';
import { Brand } from '../shared/ui/brand.js';
import { useLightTheme } from './light-theme.js';
import { mainTarget, PageFooter } from './page-frame.js';

/** Public: anyone checks a receipt, a saved proof or a round's winner, without a login. */
export function VerifyPage() {
  useLightTheme('Omni Jackpot: check the ledger');
  return (
    <div className="wrap verify-page">
      <header className="topbar">
        <Brand />
        <Link className="btn btn--line btn--sm" to="/">
          Return to Game
        </Link>
      </header>
      <main {...mainTarget}>
        <VerifyScreen />
      </main>
      <PageFooter />
    </div>
  );
}
