import { type KeyboardEvent, useEffect, useId } from 'react';
import { useSession } from '../../shared/session.queries.js';
import { useStore } from '../../shared/store.js';
import { Act, Locked } from '../../shared/ui/act.js';
import { AUTH_SECTION_ID, authForm, authHash, goToAuth } from '../../shared/ui/go-to.js';
import { lazy } from '../../shared/ui/lazy.js';
import './accounts.css';

// Fetched apart, because the first load has a limit of bytes.
const RegisterForm = lazy<'RegisterForm', object>(
  () => import('./account-forms.js'),
  'RegisterForm',
  'the registration',
  9,
);
const LoginForm = lazy<'LoginForm', object>(() => import('./account-forms.js'), 'LoginForm', 'the login', 6);

const FORMS = [
  { form: 'register', title: 'Register', Form: RegisterForm },
  { form: 'login', title: 'Login', Form: LoginForm },
] as const;

/** The two forms as tabs. Both stay in the page, so that changing the tab keeps what was typed. */
export function AuthSection() {
  const shown = useStore(authForm);
  const id = useId();
  // For links from other pages: the browser looks for the anchor before this section is rendered.
  useEffect(() => {
    const linked = FORMS.find(({ form }) => window.location.hash === `#${authHash(form)}`);
    if (linked) goToAuth(linked.form);
  }, []);
  const turn = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const other = shown === 'register' ? 'login' : 'register';
    authForm.set(other);
    document.getElementById(`${id}-${other}`)?.focus();
  };
  return (
    <Act first title="Register and Login" id={AUTH_SECTION_ID}>
      <div className="auth">
        <div className="auth-tabs" role="tablist" aria-label="Register or log in" onKeyDown={turn}>
          {FORMS.map(({ form, title }) => (
            <button
              key={form}
              id={`${id}-${form}`}
              type="button"
              role="tab"
              aria-selected={form === shown}
              aria-controls={`${id}-${form}-panel`}
              tabIndex={form === shown ? 0 : -1}
              onClick={() => authForm.set(form)}
            >
              {title}
            </button>
          ))}
        </div>
        {FORMS.map(({ form, Form }) => (
          <div
            key={form}
            id={`${id}-${form}-panel`}
            role="tabpanel"
            aria-labelledby={`${id}-${form}`}
            hidden={form !== shown}
          >
            <Form />
          </div>
        ))}
      </div>
    </Act>
  );
}

/** The forms as a logged-in gamer sees them: blurred and inert (specification §6). */
export function LockedAuthSection() {
  const session = useSession();
  return (
    <Act title="Register and Login" id={AUTH_SECTION_ID}>
      <div className="auth-locked">
        <Locked why={`You are logged in as ${session?.gamerTag}. Log out to use these forms.`}>
          <div className="duo">
            {FORMS.map(({ form, Form }) => (
              <Form key={form} />
            ))}
          </div>
        </Locked>
      </div>
    </Act>
  );
}
