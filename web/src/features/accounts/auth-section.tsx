import { useEffect } from 'react';
import { useSession } from '../../shared/session/session.queries.js';
import { Act } from '../../shared/ui/act.js';
import { Locked } from '../../shared/ui/locked.js';
import { LoginForm } from './login-form.js';
import { RegisterForm } from './register-form.js';
import './accounts.css';

export const AUTH_SECTION_ID = 'join';

/** Register and Login side by side; out of reach for a gamer who is logged in. */
export function AuthSection() {
  const session = useSession();
  // A link may lead here from another page: the section is shown too late for the browser to find it by itself.
  useEffect(() => {
    if (window.location.hash === `#${AUTH_SECTION_ID}`) goToAuth();
  }, []);
  const forms = (
    <div className="duo">
      <RegisterForm />
      <LoginForm />
    </div>
  );
  return (
    <Act title="Register and Login" id={AUTH_SECTION_ID}>
      {session ? (
        <div className="auth-locked">
          <Locked why={`You are logged in as ${session.gamerTag}. The forms open again after Logout.`}>{forms}</Locked>
        </div>
      ) : (
        forms
      )}
    </Act>
  );
}

/** Brings the forms into view for a visitor who wants to join, and puts the cursor into the first field. */
export function goToAuth(): void {
  const section = document.getElementById(AUTH_SECTION_ID);
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  section?.scrollIntoView({ behavior: calm ? 'instant' : 'smooth', block: 'start' });
  section?.querySelector('input')?.focus({ preventScroll: true });
}
