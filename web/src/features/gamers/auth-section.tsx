import { Tabs } from 'radix-ui';
import { useStore } from '../../shared/store.js';
import { Act } from '../../shared/ui/act.js';
import { AUTH_SECTION_ID, type AuthForm, authForm, authHash, goToAuth } from '../../shared/ui/go-to.js';
import { lazy } from '../../shared/ui/lazy.js';
import { LockedContent } from '../../shared/ui/needs-session.js';
import './gamers.css';

// Fetched apart, because the first load has a limit of bytes.
const fetchForms = () => import('./account-forms.js');
const RegisterForm = lazy(async () => ({ default: (await fetchForms()).RegisterForm }), 'the registration', 9);
const LoginForm = lazy(async () => ({ default: (await fetchForms()).LoginForm }), 'the login', 6);

const FORMS = [
  { form: 'register', title: 'Register', Form: RegisterForm },
  { form: 'login', title: 'Login', Form: LoginForm },
] as const;

/** Scrolls for links from other pages and a press before the forms are loaded: the browser looks for the anchor too early. */
function goToLinkedForm(): void {
  const linked = FORMS.find(({ form }) => window.location.hash === `#${authHash(form)}`);
  if (linked) goToAuth(linked.form);
}

/** The two forms as tabs. Both stay in the page, so that changing the tab keeps the typed texts. */
export function AuthSection() {
  const shown = useStore(authForm);
  return (
    <Act first title="Register and Login" id={AUTH_SECTION_ID}>
      <Tabs.Root className="auth" value={shown} onValueChange={(form) => authForm.set(form as AuthForm)}>
        <Tabs.List className="auth-tabs" aria-label="Register or log in">
          {FORMS.map(({ form, title }) => (
            <Tabs.Trigger key={form} value={form}>
              {title}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {FORMS.map(({ form, Form }) => (
          <Tabs.Content key={form} value={form} forceMount hidden={form !== shown} tabIndex={-1}>
            <Form onLoaded={goToLinkedForm} />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Act>
  );
}

/** The forms as a logged-in gamer sees them: blurred and inert (specification §6). */
export const LockedAuthSection = ({ gamerTag }: { gamerTag: string }) => (
  <Act title="Register and Login" id={AUTH_SECTION_ID}>
    <div className="locked-short">
      <LockedContent why={`You are logged in as ${gamerTag}. Log out to use these forms.`}>
        <div className="duo">
          {FORMS.map(({ form, Form }) => (
            <Form key={form} />
          ))}
        </div>
      </LockedContent>
    </div>
  </Act>
);
