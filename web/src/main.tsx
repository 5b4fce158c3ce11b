// First: it sets the order of the cascade layers.
import './styles/index.css';

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './app/query-client.js';
import { firstBoard } from './first-clock.js';
import { router } from './routes.js';
import { allowSoundAfterFirstGesture } from './shared/beep.js';
import { boardKey } from './shared/board.js';
import { openLiveSocket } from './shared/live/live-socket.js';
import { registerServiceWorker } from './shared/push.js';
import { ignoreHeldEnter } from './shared/ui/hooks.js';

allowSoundAfterFirstGesture();
ignoreHeldEnter();
registerServiceWorker();

const root = createRoot(document.getElementById('root') as HTMLElement);

// The page goes on with the first paint's board, and fetches it again once the socket is connected.
if (firstBoard) queryClient.setQueryData(boardKey, firstBoard);

// Rendered in separate tasks, and with a sliced first render, so that a slow phone can respond in between.
setTimeout(() => void openLiveSocket());
setTimeout(() => {
  // Renders only once the route is loaded: until then index.html's first paint stays on screen.
  void router.load().finally(() =>
    startTransition(() =>
      root.render(
        <StrictMode>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </StrictMode>,
      ),
    ),
  );
});
