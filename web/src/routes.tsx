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
import { rememberReferral } from './features/accounts/referral.js';

const rootRoute = createRootRoute({
  component: RootLayout,
  notFoundComponent: NotFoundPage,
  // A link with a referral code may lead to any page.
  beforeLoad: ({ location }) => rememberReferral(location.searchStr),
});

const page = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => rootRoute, path, component });

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    page('/', MainPage),
    page(
      '/reset-password',
      lazyRouteComponent(() => import('./app/reset-password-page.js'), 'ResetPasswordPage'),
    ),
    page(
      '/confirm-email',
      lazyRouteComponent(() => import('./app/reset-password-page.js'), 'ConfirmEmailPage'),
    ),
    page(
      '/account',
      lazyRouteComponent(() => import('./app/account-page.js'), 'AccountPage'),
    ),
    page(
      '/payment-success',
      lazyRouteComponent(() => import('./app/payment-success-page.js'), 'PaymentSuccessPage'),
    ),
    page(
      '/gamers-guide',
      lazyRouteComponent(() => import('./app/guide-page.js'), 'GuidePage'),
    ),
    page(
      '/protection',
      lazyRouteComponent(() => import('./app/protection-page.js'), 'ProtectionPage'),
    ),
    page(
      '/statement',
      lazyRouteComponent(() => import('./app/statement-page.js'), 'StatementPage'),
    ),
    page(
      '/rounds/$roundId',
      lazyRouteComponent(() => import('./app/round-page.js'), 'RoundPage'),
    ),
    page(
      '/verify',
      lazyRouteComponent(() => import('./app/verify-page.js'), 'VerifyPage'),
    ),
    page(
      '/record',
      lazyRouteComponent(() => import('./app/record-page.js'), 'RecordPage'),
    ),
    page(
      '/staff',
      lazyRouteComponent(() => import('./app/staff-page.js'), 'StaffPage'),
    ),
    page(
      '/audit',
      lazyRouteComponent(() => import('./app/audit-page.js'), 'AuditPage'),
    ),
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
