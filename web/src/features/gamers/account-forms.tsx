import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import type { AuthStatus, GamerSession, LoginRequest, RegisterRequest } from '../../../../contracts/http/gamers.js';
import { EMAIL_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../../contracts/limits.js';
import { type PlainRefusalCode, type RefusalCode, refusalText } from '../../../../contracts/refusals.js';
import { gamerTagRefusal, passwordRefusal } from '../../../../contracts/validation.js';
import { ApiError, codeOf, get, reasonOf, send, useCommand } from '../../shared/api/api-client.js';
import { reopenSocket } from '../../shared/live/live-socket.js';
import { changeSession, sessionQuery, useSession } from '../../shared/session.queries.js';
import { Button, Field, type FieldProps, Form, type Problems, Submit, useFields } from '../../shared/ui/controls.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { returnToStage } from '../../shared/ui/go-to.js';
import { Notice } from '../../shared/ui/notice.js';
import { toast, toastProblem } from '../../shared/ui/toasts.js';
import { Sponsor, useReferral } from './arrival-strip.js';
import { newcomer } from './referral.js';

type AuthFormProps = { onLoaded?: () => void };

export function RegisterForm({ onLoaded }: AuthFormProps) {
  useEffect(() => onLoaded?.(), [onLoaded]);
  const createAccount = useSessionStart<RegisterRequest>('/api/register');
  const referral = useReferral();
  const isLocked = Boolean(useSession());
  const register = async ({ gamerTag, email, password }: Registration) => {
    const request = { username: gamerTag, email, password, referralCode: referral.code };
    const { id } = await createAccount(request).catch((error: unknown) => {
      // The code's owner was deleted after the page loaded.
      if (codeOf(error) === 'referral-code-not-found') void referral.check();
      throw error;
    });
    newcomer.set(id);
    toast({ title: 'Success!', text: 'Account created successfully' });
    returnToStage();
  };
  return (
    <AccountForm<Registration>
      label="Register"
      className="form"
      fields={{
        gamerTag: { ...GAMER_TAG, name: 'username', hint: TAG_HINT },
        email: { label: 'Email', name: 'email', type: 'email', autoComplete: 'email' },
        password: { label: 'Password', name: 'password', hint: passwordHint(), ...NEW_PASSWORD },
        confirmation: { label: 'Confirm Password', name: 'confirmation', ...NEW_PASSWORD },
      }}
      button={{ text: 'Register', busy: 'Registering…' }}
      validate={registrationProblems}
      send={register}
      failureTitle="Registration failed"
      fieldOf={registrationField}
    >
      <CookieNotice />
      {!isLocked && <Sponsor {...referral} />}
    </AccountForm>
  );
}

function CookieNotice() {
  const [areCookiesKept] = useState(keepsCookies);
  return !areCookiesKept && <Notice tone="bad" title={COOKIES_BLOCKED} text={ALLOW_COOKIES} />;
}

export function LoginForm({ onLoaded }: AuthFormProps) {
  useEffect(() => onLoaded?.(), [onLoaded]);
  const sendLogin = useSessionStart<LoginRequest>('/api/login');
  const navigate = useNavigate();
  const returnTo = useLocation({ select: ({ state }) => state.returnTo });
  /** Staff with a second factor: the login that waits for its code. */
  const [waiting, setWaiting] = useState<LoginRequest | null>(null);
  const logIn = async (request: LoginRequest) => {
    const { needsSecondFactor } = await sendLogin(request);
    setWaiting(null);
    toast({ title: 'Success!', text: 'Logged in successfully' });
    if (needsSecondFactor) await navigate({ to: '/staff' });
    else if (returnTo !== undefined) await navigate({ href: returnTo });
    else returnToStage();
  };
  const askForCode = (request: LoginRequest) =>
    logIn(request).catch((error: unknown) => {
      if (codeOf(error) !== 'second-factor-code-required') throw error;
      setWaiting(request);
    });
  return (
    <div className="form">
      <AccountForm<{ username: string; password: string }>
        label="Login"
        className="form"
        fields={{
          username: { ...GAMER_TAG, name: 'username', placeholder: 'Your GamerTag, or your email' },
          password: { label: 'Password', name: 'password', type: 'password', autoComplete: 'current-password' },
        }}
        button={{ text: 'Login', busy: 'Logging in…' }}
        send={({ username, password }) => askForCode({ username: username.trim(), password })}
        failureTitle="Login failed"
      >
        <CookieNotice />
      </AccountForm>
      <Dialog
        open={waiting !== null}
        onClose={() => setWaiting(null)}
        title="Second factor"
        description="Enter the six digits from your authenticator app, or a recovery code."
      >
        <AccountForm<{ code: string }>
          fields={{ code: { label: 'Code', autoComplete: 'one-time-code' } }}
          button={{ text: 'Login', busy: 'Logging in…' }}
          send={async ({ code }) => waiting && (await logIn({ ...waiting, code }))}
          failureTitle="Login failed"
        />
      </Dialog>
      <ForgotPassword />
    </div>
  );
}

const RESET_SENT = 'If your account exists, a password reset email has been sent. Please check your email.';

/** One function, so that it runs once for each notice and not at each letter typed. */
const intoView = (notice: HTMLElement | null) => notice?.scrollIntoView({ block: 'center' });

function ForgotPassword() {
  const [open, setOpen] = useState(false);
  const [sent, setSent] = useState(false);
  const { send: request } = useCommand<{ gamerTag: string; email: string }>('POST', '/api/request-password-reset');
  return (
    <>
      <p>
        <Button className="linkish min-h-11" text="Forgot password?" onClick={() => setOpen(true)} />
      </p>
      {sent && (
        <div ref={intoView}>
          <Notice tone="plain" urgent text={RESET_SENT} />
        </div>
      )}
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Reset Password"
        description="We send a link to your account’s email address. It can be used only once, within an hour."
      >
        <AccountForm<{ gamerTag: string; email: string }>
          fields={{ gamerTag: GAMER_TAG, email: { label: 'Email', type: 'email', autoComplete: 'email' } }}
          button={{ text: 'Send reset email', busy: 'Sending…' }}
          send={async ({ gamerTag, email }) => {
            await request({ gamerTag: gamerTag.trim(), email: email.trim() });
            setOpen(false);
            setSent(true);
          }}
          failureTitle="Failed to send reset email"
        />
      </Dialog>
    </>
  );
}

interface AccountFormProps<Values> {
  label?: string;
  className?: string;
  children?: ReactNode;
  fields: { [Name in keyof Values]: FieldProps };
  initial?: Partial<Values>;
  button: ComponentProps<typeof Submit>;
  validate?: (values: Values) => Record<string, string>;
  send: (values: Values) => Promise<unknown>;
  failureTitle: string;
  /** The field that a refusal belongs to. Without one the failure is shown below the form. */
  fieldOf?: (code: RefusalCode | null) => keyof Values | null;
}

export function AccountForm<Values extends Record<string, string>>(props: AccountFormProps<Values>) {
  const { fields, button, failureTitle, validate = emptyFields } = props;
  const names = Object.keys(fields) as (keyof Values & string)[];
  const blank = Object.fromEntries(names.map((name) => [name, '']));
  const { values, setProblems, bind, fail } = useFields({ ...blank, ...props.initial } as Values);
  const [failure, setFailure] = useState<{ title: string; text: string } | null>(null);
  const submit = async () => {
    setFailure(null);
    const problems = validate(values);
    if (Object.keys(problems).length > 0) return fail('Invalid Form', problems as Problems<Values>);
    setProblems({});
    try {
      await props.send(values);
    } catch (error) {
      const reason = failureText(error, failureTitle);
      const title = error instanceof CookieProblem ? COOKIES_BLOCKED : failureTitle;
      toastProblem(title, reason ?? title);
      const field = props.fieldOf?.(codeOf(error)) ?? null;
      if (field === null) setFailure({ title, text: reason ?? 'Please try again.' });
      else setProblems({ [field]: reason } as Problems<Values>);
    }
  };
  return (
    <Form label={props.label} {...(props.className && { className: props.className })} onSubmit={submit}>
      {props.children}
      {names.map((name) => (
        <Field key={name} {...fields[name]} {...bind(name)} />
      ))}
      <Submit {...button} />
      {failure !== null && <Notice tone="bad" {...failure} />}
    </Form>
  );
}

/** Failures whose text is the title and the error's message when the server was not reached (specification §8). */
const WITH_MESSAGE: readonly string[] = ['Login failed', 'Registration failed'];

/** The server's sentence; null when it sent none. */
function failureText(error: unknown, title: string): string | null {
  if (error instanceof CookieProblem) return error.message;
  if (error instanceof ApiError) return reasonOf(error, '') || null;
  const isUnreached = error instanceof TypeError && WITH_MESSAGE.includes(title);
  return isUnreached ? `${title}: ${error.message}` : 'An unexpected error occurred';
}

const COOKIES_BLOCKED = 'Cookies are blocked';

const TAG_HINT = '3 to 20 letters, digits, _ or -. Everyone can see it.';
const GAMER_TAG = { label: 'GamerTag', autoComplete: 'username', autoCapitalize: 'none', spellCheck: false } as const;
export const NEW_PASSWORD = { type: 'password', autoComplete: 'new-password' } as const;

export const passwordHint = (length = PASSWORD_MIN_LENGTH): string =>
  `At least ${length} characters, and no common password.`;

export type Registration = { gamerTag: string; email: string; password: string; confirmation: string };

function problemsOf(codes: Record<string, PlainRefusalCode | null>): Record<string, string> {
  const entries = Object.entries(codes).flatMap(([field, code]) => (code ? [[field, refusalText({ code })]] : []));
  return Object.fromEntries(entries);
}

const ifEmpty = (text: string) => (text.trim() === '' ? 'all-fields-required' : null);

const emptyFields = (values: Record<string, string>) =>
  problemsOf(Object.fromEntries(Object.entries(values).map(([field, text]) => [field, ifEmpty(text)])));

/** The problems of a registration; empty when it may be sent. The server checks more, such as taken tags. */
export const registrationProblems = ({ gamerTag, email, password, confirmation }: Registration) =>
  problemsOf({
    gamerTag: ifEmpty(gamerTag) ?? gamerTagRefusal(gamerTag),
    email: ifEmpty(email) ?? (looksLikeEmail(email) ? null : 'invalid-email'),
    password: ifEmpty(password) ?? passwordRefusal(password),
    confirmation: ifEmpty(confirmation) ?? confirmationRefusal(password, confirmation),
  });

type NewPassword = { newPassword: string; confirmPassword: string };

const confirmationRefusal = (password: string, confirmation: string) =>
  password === confirmation ? null : 'passwords-do-not-match';

const looksLikeEmail = (email: string): boolean => email.length <= EMAIL_MAX_LENGTH && /^[^\s@]+@[^\s@]+$/.test(email);

export const newPasswordProblems = ({ newPassword, confirmPassword }: NewPassword) =>
  problemsOf({
    newPassword: passwordRefusal(newPassword),
    confirmPassword: confirmationRefusal(newPassword, confirmPassword),
  });

export function registrationField(code: RefusalCode | null): 'gamerTag' | 'email' | 'password' | null {
  if (code?.includes('gamer-tag')) return 'gamerTag';
  if (code?.includes('email')) return 'email';
  return code?.startsWith('password-too') ? 'password' : null;
}

/** Says that the browser, or something between it and the server, keeps no cookie. */
class CookieProblem extends Error {}

const ALLOW_COOKIES = 'Please allow cookies for this site: without a cookie your browser cannot keep you logged in.';
const REGISTERED_WITHOUT_COOKIE =
  'Your account was created, but your browser kept no cookie: please allow cookies for this site, then log in.';

function keepsCookies(): boolean {
  const probe = 'omni.probe=1';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in older browsers
  document.cookie = `${probe}; Path=/; SameSite=Lax; Max-Age=5`;
  return document.cookie.includes(probe);
}

/** Returns a function that sends a login or registration, and starts its session. It throws CookieProblem without cookies. */
function useSessionStart<Request>(path: '/api/login' | '/api/register') {
  const client = useQueryClient();
  return (request: Request) =>
    changeSession(async () => {
      if (!keepsCookies()) throw new CookieProblem(ALLOW_COOKIES);
      const gamer = await send<GamerSession>('POST', path, request);
      const status = await get<AuthStatus>(sessionQuery.queryKey).catch(() => null);
      if (status?.isAuthenticated === false)
        throw new CookieProblem(path === '/api/register' ? REGISTERED_WITHOUT_COOKIE : ALLOW_COOKIES);
      client.setQueryData(sessionQuery.queryKey, { isAuthenticated: true, ...gamer });
      reopenSocket();
      return gamer;
    });
}
