import { isStaff } from '../../../contracts/ids.js';
import { SecondFactor } from '../features/staff/second-factor.js';
import { Act, NeedsSession } from '../shared/ui/act.js';
import { Page } from './page.js';

/** Staff set up their second factor here. On an https site it is the only page that works without one. */
export const StaffPage = () => (
  <Page title="Second Factor">
    <Act first title="Your authenticator" lead={<p>A code from your phone, besides your password.</p>}>
      <NeedsSession
        why="Log in as a staff member to set up a second factor"
        preview={<p className="py-6">An authenticator app shows six digits, and others every half minute.</p>}
        isFor={({ role }) => isStaff(role)}
      >
        {() => <SecondFactor />}
      </NeedsSession>
    </Act>
  </Page>
);
