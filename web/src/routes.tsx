import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
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

export const router = createRouter({
  routeTree: rootRoute.addChildren([mainRoute]),
  // Codes and tokens in an address are texts, whatever they look like.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === '' ? '' : `?${text}`;
  },
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
