import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorPage } from './app/error-page.js';
import { MainPage } from './app/main-page.js';
import { NotFoundPage } from './app/not-found-page.js';
import { RootLayout } from './app/root-layout.js';
import { rememberReferral } from './features/accounts/referral.js';

const rootRoute = createRootRoute({
  component: RootLayout,
  notFoundComponent: NotFoundPage,
  // A link with a referral code may lead to any page.
  beforeLoad: ({ location }) => rememberReferral(location.searchStr),
});

const mainRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', component: MainPage });

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./app/reset-password-page.js'), 'ResetPasswordPage'),
});

const paymentSuccessRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/payment-success',
  component: lazyRouteComponent(() => import('./app/payment-success-page.js'), 'PaymentSuccessPage'),
});

const guideRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/gamers-guide',
  component: lazyRouteComponent(() => import('./app/guide-page.js'), 'GuidePage'),
});

const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  component: lazyRouteComponent(() => import('./app/audit-page.js'), 'AuditPage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([mainRoute, resetPasswordRoute, paymentSuccessRoute, guideRoute, auditRoute]),
  // Codes and tokens in an address are texts, whatever they look like.
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
