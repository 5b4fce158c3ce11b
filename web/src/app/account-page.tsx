import { isStaff } from '../../../contracts/ids.js';
import { EmailForm, OwnSessions, PasswordForm } from '../features/gamers/own-account.js';
import { Act, NeedsSession } from '../shared/ui/act.js';
import { PageLink } from '../shared/ui/controls.js';
import { Page } from './page.js';

export const AccountPage = () => (
  <Page title="My Account">
    <NeedsSession
      why="Log in to change your account"
      preview={<p className="py-6">Your password, your email, and the devices that are logged in.</p>}
    >
      {(session) => (
        <>
          <Act first title="Password" lead={<p>All other devices are logged out when you change it.</p>}>
            <PasswordForm role={session.role} />
          </Act>
          <Act title="Email" lead={<p>It changes once you open the link in the new mailbox.</p>}>
            <EmailForm email={session.email} isConfirmed={session.isEmailConfirmed ?? false} />
          </Act>
          <Act title="Devices" lead={<p>End a session that is not yours, and change your password.</p>}>
            <OwnSessions />
          </Act>
          {isStaff(session.role) && (
            <Act title="Second factor" lead={<p>A code from your phone, besides your password.</p>}>
              <PageLink className="btn btn--line" to="/staff" text="Second Factor" />
            </Act>
          )}
          <p className="pb-6">
            To delete your account, <PageLink className="linkish" to="/" hash="support" text="write to support" />.
          </p>
        </>
      )}
    </NeedsSession>
  </Page>
);
