import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { WebPath } from '../../contracts/web-paths.js';
import { MainPage } from './app/main-page.js';
import type { PageFrame } from './app/page.js';
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

/** A page whose content and frame the router fetches when it is opened. Meanwhile the former page stays in sight; `lazy` would blank it. */
const lazyPage = <const Path extends WebPath, Name extends string>(
  path: Path,
  title: string,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  frame?: PageFrame,
) => {
  const loadPage = async () => {
    const [{ withFrame: framed }, content] = await Promise.all([import('./app/page.js'), load()]);
    return { default: framed(content[name], frame) };
  };
  return page(path, lazyRouteComponent(loadPage), title);
};

const accountPages = () => import('./app/account-pages.js');
const adminPage = () => import('./features/admin/admin-section.js');
const linkedPages = () => import('./app/linked-pages.js');
const SIMPLE: PageFrame = { kind: 'simple' };
const LONG: PageFrame = { isLong: true };
const LIGHT: PageFrame = { kind: 'light', isLong: true };
const AUDIT: PageFrame = { kind: 'light', className: 'audit' };

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    page('/', MainPage),
    lazyPage('/reset-password', 'Reset Password', linkedPages, 'ResetPasswordPage', SIMPLE),
    lazyPage('/confirm-email', 'Confirm Your Email', linkedPages, 'ConfirmEmailPage', SIMPLE),
    lazyPage('/account', 'My Account', accountPages, 'AccountPage'),
    lazyPage('/payment-success', 'Payment Successful', linkedPages, 'PaymentSuccessPage', SIMPLE),
    lazyPage('/gamers-guide', "Official Gamer's Guide", () => import('./app/guide-page.js'), 'default', LONG),
    lazyPage('/protection', 'My Limits', accountPages, 'ProtectionPage'),
    lazyPage('/statement', 'My Statement', accountPages, 'StatementPage'),
    lazyPage('/rounds/$roundId', 'Round', () => import('./features/rounds/round-screen.js'), 'default'),
    lazyPage('/verify', 'Check the Ledger', () => import('./features/receipts/verify-screen.js'), 'default', LIGHT),
    lazyPage('/record', 'Public Record', () => import('./features/public-record/public-record.js'), 'default', LIGHT),
    lazyPage('/staff', 'Second Factor', accountPages, 'StaffPage'),
    lazyPage('/audit', 'Audit', () => import('./features/audit/audit-screens.js'), 'default', AUDIT),
    lazyPage('/admin', 'Admin Panel', adminPage, 'AdminSection'),
    lazyPage('/admin/$panel', 'Admin Panel', adminPage, 'AdminSection'),
    lazyPage('/admin/gamers/$gamerId', 'Admin Panel', adminPage, 'AdminSection'),
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
