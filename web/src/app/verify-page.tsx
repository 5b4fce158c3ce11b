import { VerifyScreen } from '../features/receipts/verify-screen.js';
import { Page } from './page.js';

/** Public: anyone checks a receipt, a saved proof or a round's winner, without a login. */
export const VerifyPage = () => (
  <Page isLong isLight className="verify-page">
    <VerifyScreen />
  </Page>
);
