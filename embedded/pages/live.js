/*
 * The pages' script; they also work without it. It fetches the address in `data-refresh` again and again and replaces
 * the elements marked `data-live`, found by their ids. A button with `data-copy` copies its value.
 */
const REFRESH_MS = 1500;
const address = document.querySelector('[data-refresh]')?.dataset.refresh;

async function refresh() {
  const response = await fetch(address);
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const element of fresh.querySelectorAll('[data-live]')) {
    const current = document.getElementById(element.id);
    if (current === null || current.outerHTML === element.outerHTML) continue;
    const focused = document.activeElement?.id;
    current.replaceWith(document.adoptNode(element));
    if (focused) document.getElementById(focused)?.focus();
  }
}

// While the server does not respond, the page stays as it is and the next refresh tries again.
if (address) setInterval(() => document.hidden || refresh().catch(() => undefined), REFRESH_MS);

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
