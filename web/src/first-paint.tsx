import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { MainPageHeader } from './app/page-frame.js';
import { GamePanel } from './features/game/game-panel.js';

/** The HTML that the main page shows, inert, until its code has loaded: header and stage. */
export async function firstPaint(): Promise<string> {
  const routeTree = createRootRoute({ component: HeaderAndStage });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  await router.load();
  return renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

/** Higher than the window, so that the scroll bar is there from the start and nothing moves later. */
const HeaderAndStage = () => (
  <div inert style={{ minHeight: '200vh' }}>
    <MainPageHeader />
    <GamePanel onJoin={null} neverBuys={null} />
  </div>
);
