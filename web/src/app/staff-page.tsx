import { Link } from '@tanstack/react-router';
import { isStaff } from '../../../contracts/ids.js';
import { SecondFactor } from '../features/staff/second-factor.js';
import { Act } from '../shared/ui/act.js';
import { NeedsSession } from '../shared/ui/needs-session.js';
import { mainTarget, PageFooter } from './page-frame.js';
import { PageHeader } from './page-header.js';

/** Staff set up their second factor here. On an https site it is the only page that works without one. */
export function StaffPage() {
  return (
    <>
      <PageHeader />
      <main className="wrap" {...mainTarget}>
        <div className="flex flex-wrap items-center justify-between gap-4 py-6">
          <h1 className="h2">Second Factor</h1>
          <Link className="btn btn--act" to="/">
            Return to Game
          </Link>
        </div>
        <Act first title="Your authenticator" lead={<p>A code from your phone, besides your password.</p>}>
          <NeedsSession
            why="Log in as a staff member to set up a second factor"
            preview={<p className="py-6">An authenticator app shows six digits, and others every half minute.</p>}
            isFor={({ role }) => isStaff(role)}
          >
            {() => <SecondFactor />}
          </NeedsSession>
        </Act>
      </main>
      <div className="wrap">
        <PageFooter />
      </div>
    </>
  );
}
