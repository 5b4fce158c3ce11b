import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { GuidePage } from './app/guide-page.js';
import { PageHeader } from './app/page-frame.js';
import { GamePanel } from './features/game/game-panel.js';
import { HeaderRules } from './features/game/header-rules.js';

/** The HTML that a page shows, inert, until its code has loaded: the main page's header and stage, or the whole guide. */
export async function firstPaint(path: string): Promise<string> {
  const Page = path === '/' ? HeaderAndStage : GuidePage;
  const router = createRouter({
    // Higher than the window, so that the scroll bar is there from the start and nothing moves later.
    routeTree: createRootRoute({
      component: () => (
        <div inert style={{ minHeight: '200vh' }}>
          <Page />
        </div>
      ),
    }),
    history: createMemoryHistory(),
  });
  await router.load();
  return renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

function HeaderAndStage() {
  return (
    <>
      <PageHeader>
        <HeaderRules />
      </PageHeader>
      <GamePanel onJoin={null} neverBuys={null} />
    </>
  );
}
