import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import { MainPage } from './app/main-page.js';
import { ErrorPage, NotFoundPage } from './app/page-frame.js';
import { RootLayout } from './app/root-layout.js';
import { rememberReferral } from './features/gamers/referral.js';

const rootRoute = createRootRoute({
  component: RootLayout,
  notFoundComponent: NotFoundPage,
  // A link with a referral code may lead to any page.
  beforeLoad: ({ location }) => rememberReferral(location.searchStr),
});

const page = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => rootRoute, path, component });

const lazyPage = <const Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<Record<Name, RouteComponent>>,
  name: Name,
) => page(path, lazyRouteComponent(load, name));

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    page('/', MainPage),
    lazyPage('/reset-password', () => import('./app/reset-password-page.js'), 'ResetPasswordPage'),
    lazyPage('/confirm-email', () => import('./app/reset-password-page.js'), 'ConfirmEmailPage'),
    lazyPage('/account', () => import('./app/account-page.js'), 'AccountPage'),
    lazyPage('/payment-success', () => import('./app/payment-success-page.js'), 'PaymentSuccessPage'),
    lazyPage('/gamers-guide', () => import('./app/guide-page.js'), 'GuidePage'),
    lazyPage('/protection', () => import('./app/protection-page.js'), 'ProtectionPage'),
    lazyPage('/statement', () => import('./app/statement-page.js'), 'StatementPage'),
    lazyPage('/rounds/$roundId', () => import('./app/round-page.js'), 'RoundPage'),
    lazyPage('/verify', () => import('./app/verify-page.js'), 'VerifyPage'),
    lazyPage('/record', () => import('./app/record-page.js'), 'RecordPage'),
    lazyPage('/staff', () => import('./app/staff-page.js'), 'StaffPage'),
    lazyPage('/audit', () => import('./app/audit-page.js'), 'AuditPage'),
  ]),
  // Codes and tokens in an address stay texts, also when they consist of digits.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === '' ? '' : `?${text}`;
  },
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
