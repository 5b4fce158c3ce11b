import type { Route } from './http-server.js';

/**
 * The script of the stand-ins' pages, which work without it. Below `data-refresh`, parts marked `data-live` (with an id)
 * follow what the server would show now; `data-copy` copies at a press.
 */
export const LIVE_SCRIPT_PATH = '/_stand-in/live.js';

const SCRIPT = `
const LOOK_AGAIN_MS = 1500;
const from = document.querySelector('[data-refresh]')?.dataset.refresh;

async function lookAgain() {
  const response = await fetch(from);
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of fresh.querySelectorAll('[data-live]')) {
    const shown = document.getElementById(part.id);
    if (shown === null || shown.outerHTML === part.outerHTML) continue;
    const focused = document.activeElement?.id;
    shown.replaceWith(document.adoptNode(part));
    if (focused) document.getElementById(focused)?.focus();
  }
}

// While the server is away the page stays as it was, and looks again later.
if (from) setInterval(() => document.hidden || lookAgain().catch(() => undefined), LOOK_AGAIN_MS);

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('[data-copy]');
  if (button === null) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Press Ctrl+C';
    getSelection().selectAllChildren(document.getElementById(button.getAttribute('aria-describedby')));
  }
});
`;

/** A file of its own, because the pages allow no inline scripts. */
export const liveScriptRoute: Route = {
  method: 'GET',
  path: /^\/_stand-in\/live\.js$/,
  answer: () => ({ status: 200, headers: { 'content-type': 'text/javascript; charset=utf-8' }, body: SCRIPT }),
};
