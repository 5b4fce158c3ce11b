import { isStaff } from '../../../contracts/ids.js';
import { EmailForm, OwnSessions, PasswordForm } from '../features/gamers/own-account.js';
import { PaymentsInReview } from '../features/payments/my-payments.js';
import { ExclusionPanel, LimitsPanel } from '../features/protection/my-protection.js';
import { RealityCheckChoice } from '../features/protection/play-watch.js';
import { SecondFactor } from '../features/staff/second-factor.js';
import { StatementPanel } from '../features/statements/statement-panel.js';
import { useSession } from '../shared/session.queries.js';
import { Act } from '../shared/ui/act.js';
import { PageLink } from '../shared/ui/controls.js';
import { NeedsSession } from '../shared/ui/needs-session.js';

export const AccountPage = () => (
  <NeedsSession
    why="Log in to change your account"
    preview="Your password, your email, and the devices that are logged in."
  >
    {(session) => (
      <>
        <Act first title="Password" lead="All other devices are logged out when you change it.">
          <PasswordForm role={session.role} />
        </Act>
        <Act title="Email" lead="It changes once you open the link in the new mailbox.">
          <EmailForm email={session.email} isConfirmed={session.isEmailConfirmed ?? false} />
        </Act>
        <Act title="Devices" lead="End a session that is not yours, and change your password.">
          <OwnSessions />
        </Act>
        {isStaff(session.role) && (
          <Act title="Second factor" lead="A code from your phone, besides your password.">
            <PageLink className="btn btn--line" to="/staff" text="Second Factor" />
          </Act>
        )}
        <p className="pb-6">
          To delete your account, <PageLink className="linkish" to="/" hash="support" text="write to support" />.
        </p>
      </>
    )}
  </NeedsSession>
);

export function ProtectionPage() {
  const session = useSession();
  return (
    <>
      <Act
        first
        title="Set limits"
        lead="For what you spend, pay in and lose. Nobody can loosen them but you, and not in haste."
      >
        <NeedsSession
          why="Log in as a gamer to set limits"
          preview="A day, a week, a month: you choose how much."
          isFor={({ role }) => role !== 'admin'}
        >
          {() => <LimitsPanel />}
        </NeedsSession>
      </Act>
      {session?.role === 'gamer' && (
        <Act
          title="Reality check"
          lead={
            <p>
              From time to time a dialog shows how long you have been logged in, what you have spent and what you have
              won since then. It closes when you answer it. A session begins when you log in; each page shows how long
              it lasts, and your net position in it.
            </p>
          }
        >
          <RealityCheckChoice />
        </Act>
      )}
      <Act
        id="take-a-break"
        title="Take a break"
        lead="From now on, for as long as you choose. Nobody can make it shorter, not even support."
      >
        <NeedsSession
          why="Log in as a gamer to take a break"
          preview="A time-out of a day to six weeks, or a self-exclusion of six months to five years."
          isFor={({ role }) => role !== 'admin'}
        >
          {() => <ExclusionPanel />}
        </NeedsSession>
      </Act>
    </>
  );
}

export const StatementPage = () => (
  <NeedsSession
    why="Log in as a gamer to read your statement"
    preview="Every deposit, purchase, prize, transfer and withdrawal."
    isFor={({ role }) => role !== 'admin'}
  >
    {() => (
      <>
        <PaymentsInReview />
        <StatementPanel />
      </>
    )}
  </NeedsSession>
);

/** Staff set up their second factor here. On an https site it is the only page that works without one. */
export const StaffPage = () => (
  <Act first title="Your authenticator" lead="A code from your phone, besides your password.">
    <NeedsSession
      why="Log in as a staff member to set up a second factor"
      preview="An authenticator app shows six digits, and others every half minute."
      isFor={({ role }) => isStaff(role)}
    >
      {() => <SecondFactor />}
    </NeedsSession>
  </Act>
);
