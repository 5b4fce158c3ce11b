/** The CSS of the gateway's own pages, and their script: they look again on their own, and copy at a press. */
export const CHECKOUT_CSS = `
.checkout { display: grid; gap: 2rem; }
.payer { display: grid; gap: 2.5rem; align-content: start; min-width: 0; }
.pay { display: grid; gap: 1.25rem; }
.pay > h1 { overflow-wrap: anywhere; }
.pay > h1 + .quiet { margin-top: -1rem; }
.send { display: grid; gap: 1.25rem; }
.code { justify-self: center; padding: .25rem; background: #fff; border-radius: 6px; line-height: 0; }
.code svg { width: 12rem; height: 12rem; }
.copies { display: grid; gap: 1rem; min-width: 0; align-content: center; }
.copy { display: grid; grid-template-columns: 1fr auto; gap: .5rem; margin-top: .25rem; }
.copy code { display: flex; align-items: center; padding: .5rem .75rem; min-height: 3rem; min-width: 0; background: var(--stage-2); border-radius: 3px; overflow-wrap: anywhere; }
.copy .button { min-width: 5rem; }
.steps { display: grid; gap: .625rem; }
.steps li { display: grid; grid-template-columns: 1.25rem 1fr; gap: .5rem; align-items: baseline; color: var(--text-3); }
.steps i { width: 10px; height: 14px; border: 1.5px solid var(--line-strong); border-radius: 50% 50% 2px 2px / 38% 38% 2px 2px; align-self: center; }
.steps .now { color: var(--text); font-weight: 600; }
.steps .now i { background: var(--text); border-color: var(--text); }
.steps .done { color: var(--text-2); }
.steps .done i { background: var(--text-3); border-color: var(--text-3); }
.steps .time { float: right; font-weight: 400; font-size: .875rem; }
.acts { display: grid; gap: .75rem; align-content: start; align-self: start; }
.acts h3 { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
.choices { display: grid; gap: 1rem; }
.choices p { margin-top: .375rem; }
.choice { width: 100%; justify-content: start; }
.choice:disabled + p { color: var(--text-3); }
.switch { justify-content: space-between; }
.knob { position: relative; flex: none; width: 2.75rem; height: 1.5rem; border: 1px solid var(--line-strong); border-radius: 1rem; }
.knob::after { content: ""; position: absolute; top: 3px; left: 3px; width: 1rem; height: 1rem; border-radius: 50%; background: var(--line-strong); }
[aria-checked=true] .knob { background: var(--text); border-color: var(--text); }
[aria-checked=true] .knob::after { left: auto; right: 3px; background: var(--on-text); }
.history { display: grid; gap: .75rem; }
.history .rows + h2 { margin-top: 1.5rem; }
.history .rows { border-bottom: 1px solid var(--line); }
.history a, .delivery { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; align-items: baseline; padding: .75rem .25rem; text-decoration: none; }
.history a:hover { background: var(--stage-1); }
.history .what { min-width: 0; overflow-wrap: anywhere; }
.history .how { text-align: right; }
.history .caption { grid-column: 1 / -1; }
.history [aria-current] { box-shadow: inset 2px 0 var(--text); padding-left: .75rem; }
.problem { color: var(--danger); border-color: var(--danger); margin-bottom: 1.5rem; }
.choose { max-width: 32rem; margin: 0 auto; display: grid; gap: 1.25rem; }
.coins { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); gap: .5rem; margin-top: .75rem; }
.overview { display: grid; gap: 2.5rem; }
.intro { display: grid; gap: 1rem; align-content: start; }
.intro form { margin-top: .5rem; }
.intro form p { margin-top: .375rem; }
@media (min-width: 600px) { .send { grid-template-columns: auto 1fr; } .acts .choices { grid-template-columns: 1fr 1fr; } }
@media (min-width: 1024px) {
  .checkout { grid-template-columns: minmax(0, 1fr) 23rem; gap: 3rem; }
  .acts .choices { grid-template-columns: 1fr; }
  .overview { grid-template-columns: 17rem minmax(0, 1fr); gap: 3rem; }
}
`;

export const CHECKOUT_SCRIPT = `
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

// While the gateway is away the page stays as it was, and looks again later.
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
