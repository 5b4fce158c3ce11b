import { VerifyScreen } from '../features/receipts/verify-screen.js';
import { useLightTheme } from './light-theme.js';
import { Page } from './page.js';

/** Public: anyone checks a receipt, a saved proof or a round's winner, without a login. */
export function VerifyPage() {
  useLightTheme();
  return (
    <Page isLong className="verify-page">
      <VerifyScreen />
    </Page>
  );
}
