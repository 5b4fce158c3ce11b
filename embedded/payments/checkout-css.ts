/** The CSS of the gateway's own pages. */
export const CHECKOUT_CSS = `
.checkout { display: grid; gap: 2rem; }
.checkout > * { min-width: 0; }
.pay { align-self: start; display: grid; gap: 1.25rem; }
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
.steps li { display: grid; grid-template-columns: 1.25rem 1fr; gap: .5rem; color: var(--text-3); }
.steps i { width: 10px; height: 14px; border: 1.5px solid var(--line-strong); border-radius: 50% 50% 2px 2px / 38% 38% 2px 2px; margin-top: .3rem; }
.steps .now { color: var(--text); font-weight: 600; }
.steps .now i { background: var(--text); border-color: var(--text); }
.steps .done { color: var(--text-2); }
.steps .done i { background: var(--text-3); border-color: var(--text-3); }
.steps .time { display: block; font-weight: 400; font-size: .875rem; }
.acts { display: grid; gap: .75rem; align-content: start; align-self: start; }
.acts h3 { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
.choices { display: grid; gap: 1rem; }
.choices p { margin-top: .375rem; }
.choice { width: 100%; justify-content: start; }
.choice:disabled + p { color: var(--text-3); }
.impossible { display: grid; gap: .5rem; color: var(--text-3); }
.impossible div { display: grid; grid-template-columns: 6.5rem 1fr; gap: .5rem; align-items: baseline; font-size: .875rem; }
.pay .button { justify-self: start; }
.pay .link { padding: 0; }
.history .empty { padding: 1rem 0; }
.switch { justify-content: space-between; }
.knob { position: relative; flex: none; width: 2.75rem; height: 1.5rem; border: 1px solid var(--line-strong); border-radius: 1rem; }
.knob::after { content: ""; position: absolute; top: 3px; left: 3px; width: 1rem; height: 1rem; border-radius: 50%; background: var(--line-strong); }
[aria-checked=true] .knob { background: var(--text); border-color: var(--text); }
[aria-checked=true] .knob::after { left: auto; right: 3px; background: var(--on-text); }
.history { display: grid; gap: .75rem; align-content: start; }
.history .rows + h2 { margin-top: 1.5rem; }
.history .rows { border-bottom: 1px solid var(--line); }
.history a, .delivery { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; align-items: baseline; padding: .75rem .25rem; text-decoration: none; }
.history a:hover { background: var(--stage-1); }
.history .what { min-width: 0; overflow-wrap: anywhere; }
.history .how { text-align: right; }
.history .delivery { grid-template-columns: minmax(6rem, auto) 1fr; }
.history .caption { grid-column: 1 / -1; }
.history [aria-current] { box-shadow: inset 2px 0 var(--text); padding-left: .75rem; }
.problem { color: var(--danger); border-color: var(--danger); margin-bottom: 1.5rem; }
.choose { max-width: 32rem; margin: 0 auto; display: grid; gap: 1.25rem; }
legend { padding: 0; }
.coins { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); gap: .5rem; margin-top: .75rem; }
.overview { display: grid; gap: 2.5rem; }
.intro { display: grid; gap: 1rem; align-content: start; }
.intro form { margin-top: .5rem; }
.intro form p { margin-top: .375rem; }
@media (min-width: 600px) { .steps .time { float: right; } .send { grid-template-columns: auto 1fr; } .acts .choices { grid-template-columns: 1fr 1fr; } }
@media (min-width: 1024px) {
  .checkout { grid-template-columns: minmax(0, 1fr) 23rem; grid-template-rows: auto 1fr; gap: 3rem; }
  .acts { grid-column: 2; grid-row: 1 / 3; }
  .acts .choices { grid-template-columns: 1fr; }
  .overview { grid-template-columns: 17rem minmax(0, 1fr); gap: 3rem; }
}
`;
