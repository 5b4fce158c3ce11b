import { PaymentsInReview } from '../features/payments/my-payments.js';
import { StatementPanel } from '../features/statements/statement-panel.js';
import { NeedsSession } from '../shared/ui/act.js';
import { Page } from './page.js';

export const StatementPage = () => (
  <Page title="My Statement">
    <NeedsSession
      why="Log in as a gamer to read your statement"
      preview={<p className="py-6">Every deposit, purchase, prize, transfer and withdrawal.</p>}
      isFor={({ role }) => role !== 'admin'}
    >
      {() => (
        <>
          <PaymentsInReview />
          <StatementPanel />
        </>
      )}
    </NeedsSession>
  </Page>
);
