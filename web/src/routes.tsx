import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import type { WebPath } from '../../contracts/web-paths.js';
import { MainPage } from './app/main-page.js';
import { ErrorPage } from './app/page-frame.js';
import { RootLayout } from './app/root-layout.js';
import { rememberReferral } from './features/gamers/referral.js';
import { lazy } from './shared/ui/lazy.js';

const rootRoute = createRootRoute({
  component: RootLayout,
  notFoundComponent: lazy(async () => ({ default: (await import('./app/page.js')).NotFoundPage }), 'this page', 9),
  // A link with a referral code may lead to any page.
  beforeLoad: ({ location }) => rememberReferral(location.searchStr),
});

const page = <const Path extends WebPath>(path: Path, component: RouteComponent, title?: string) =>
  createRoute({ getParentRoute: () => rootRoute, path, component, staticData: { title } });

const lazyPage = <const Path extends WebPath, Name extends string>(
  path: Path,
  title: string,
  load: () => Promise<Record<Name, RouteComponent>>,
  name: Name,
) => page(path, lazyRouteComponent(load, name), title);

const accountPages = () => import('./app/account-pages.js');
const adminPage = () => import('./app/admin-page.js');
const linkedPages = () => import('./app/linked-pages.js');

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    page('/', MainPage),
    lazyPage('/reset-password', 'Reset Password', linkedPages, 'ResetPasswordPage'),
    lazyPage('/confirm-email', 'Confirm Your Email', linkedPages, 'ConfirmEmailPage'),
    lazyPage('/account', 'My Account', accountPages, 'AccountPage'),
    lazyPage('/payment-success', 'Payment Successful', linkedPages, 'PaymentSuccessPage'),
    lazyPage('/gamers-guide', "Official Gamer's Guide", () => import('./app/guide-page.js'), 'GuidePage'),
    lazyPage('/protection', 'My Limits', accountPages, 'ProtectionPage'),
    lazyPage('/statement', 'My Statement', accountPages, 'StatementPage'),
    lazyPage('/rounds/$roundId', 'Round', () => import('./app/round-page.js'), 'RoundPage'),
    lazyPage('/verify', 'Check the Ledger', () => import('./app/verify-page.js'), 'VerifyPage'),
    lazyPage('/record', 'Public Record', () => import('./app/record-page.js'), 'RecordPage'),
    lazyPage('/staff', 'Second Factor', accountPages, 'StaffPage'),
    lazyPage('/audit', 'Audit', () => import('./app/audit-page.js'), 'AuditPage'),
    lazyPage('/admin', 'Admin Panel', adminPage, 'AdminPage'),
    lazyPage('/admin/$panel', 'Admin Panel', adminPage, 'AdminPage'),
    lazyPage('/admin/gamers/$gamerId', 'Admin Panel', adminPage, 'AdminPage'),
  ]),
  // Codes and tokens in an address stay texts, even when they consist of digits.
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
  interface StaticDataRouteOption {
    title?: string | undefined;
  }
}
