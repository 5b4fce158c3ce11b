import { Link } from '@tanstack/react-router';
import { VerifyScreen } from '../features/receipts/verify-screen.js';
import { useLightTheme } from './light-theme.js';
import { mainTarget, PageFooter } from './page-frame.js';
import { PageHeader } from './page-header.js';

/** Public: anyone checks a receipt, a saved proof or a round's winner, without a login. */
export function VerifyPage() {
  useLightTheme('Omni Jackpot: check the ledger');
  return (
    <div className="verify-page">
      <PageHeader />
      <main className="wrap" {...mainTarget}>
        <VerifyScreen />
        <p className="pb-12">
          <Link className="btn btn--act" to="/">
            Return to Game
          </Link>
        </p>
      </main>
      <div className="wrap">
        <PageFooter />
      </div>
    </div>
  );
}
