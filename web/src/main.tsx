// First: it sets the order of the cascade layers.
import './styles/index.css';

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './app/query-client.js';
import { router } from './routes.js';
import { openLiveSocket } from './shared/live/live-socket.js';
import { allowSoundAfterFirstGesture } from './shared/sound/beep.js';

allowSoundAfterFirstGesture();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
const page = createRoot(root);

// Each in a task of its own, and the first render in slices: a slow phone can answer in between.
setTimeout(openLiveSocket);
setTimeout(() => {
  // Until the route is known there is nothing to take the place of what index.html shows.
  void router.load().finally(() =>
    startTransition(() =>
      page.render(
        <StrictMode>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </StrictMode>,
      ),
    ),
  );
});
