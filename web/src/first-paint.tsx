import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { type ComponentType, createRef } from 'react';
import { renderToString } from 'react-dom/server';
import { GuidePage } from './app/guide-page.js';
import { PageHeader } from './app/page-header.js';
import { GamePanel } from './features/game/game-panel.js';
import { RecentWinners } from './features/winners/recent-winners.js';

const FIRST_PAINTS: Record<string, ComponentType> = { '/': HeaderAndStage, '/gamers-guide': GuidePage };

/**
 * What a page shows until its code is here, with nothing yet that answers: of the main page its header and its stage,
 * loading; the whole guide. Rendered when the client is built (first-paint-plugin.ts); the page's first render takes its
 * place.
 *
 * @param path of the page
 * @returns HTML
 */
export async function firstPaint(path: string): Promise<string> {
  const Page = FIRST_PAINTS[path];
  if (Page === undefined) throw new Error(`${path} has no first paint`);
  const router = createRouter({
    // Longer than the window: with the scroll bar there already, nothing moves when the rest arrives.
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
      <PageHeader />
      <GamePanel
        stageRef={createRef()}
        myId={null}
        shareWin={() => null}
        winners={<RecentWinners />}
        balance={null}
        onJoin={null}
        neverBuys={null}
      />
    </>
  );
}
