/** The game's dark theatre theme for the practice pages: warm white for buttons, amber for deadlines only. */
export const themeCss = (fontPath: string): string => `
@font-face { font-family: "Archivo Variable"; src: url("${fontPath}") format("woff2-variations"); font-weight: 100 900; font-stretch: 62% 125%; font-display: swap; }
:root {
  --stage-0: #120c14; --stage-1: #1b131e; --stage-2: #271c2b; --stage-3: #33263a;
  --line: #3c2e41; --line-strong: #84748b;
  --text: #f8f1e7; --text-2: #cabdca; --text-3: #a898ab; --on-text: #1b131e;
  --time: #ffb65c; --time-surface: #2c1c10; --danger: #ff8476; --danger-surface: #331318;
  --font: "Archivo Variable", Archivo, "Helvetica Neue", Arial, sans-serif;
  --font-code: ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", "DejaVu Sans Mono", monospace;
  --gutter: 1rem; color-scheme: dark;
}
@media (min-width: 768px) { :root { --gutter: 2rem; } }
@media (min-width: 1280px) { :root { --gutter: 3rem; } }
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--stage-0); color: var(--text); font: 400 1rem/1.5 var(--font); font-variant-numeric: tabular-nums; }
h1, h2, h3, p, dl, dd, ul, ol, form, fieldset, figure { margin: 0; padding: 0; border: 0; }
ul, ol { list-style: none; }
h1, h2, h3 { font-stretch: 78%; font-weight: 600; text-wrap: balance; }
h1 { font-size: 1.75rem; line-height: 2rem; }
h2 { font-size: 1.375rem; line-height: 1.75rem; }
h3 { font-size: 1.125rem; line-height: 1.625rem; }
a { color: inherit; text-underline-offset: 3px; }
code { font-family: var(--font-code); font-size: .875rem; }
:focus-visible { outline: 2px solid var(--text); outline-offset: 2px; }
.quiet { color: var(--text-2); font-size: .875rem; line-height: 1.25rem; }
.caption { color: var(--text-3); font-size: .75rem; line-height: 1.125rem; }
.time { color: var(--time); }
.wrap { max-width: 70rem; margin: 0 auto; padding: 0 var(--gutter) 4rem; }
.top { display: flex; align-items: center; gap: .75rem; min-height: 4rem; font-stretch: 78%; font-weight: 600; }
.top a { display: inline-flex; align-items: center; gap: .75rem; min-height: 2.75rem; text-decoration: none; }
.top .where { margin-left: auto; color: var(--text-3); font-weight: 400; font-size: .875rem; font-stretch: 100%; }
.lamps { display: flex; gap: 2px; align-items: end; height: 1.125rem; }
.lamps i { width: 8px; height: 1.125rem; border-radius: 50% 50% 2px 2px / 38% 38% 2px 2px; background: var(--time); }
.lamps i:first-child { background: none; border: 1.5px solid #7c5a36; }
.lamps i:last-child { background: #ffe3b4; }
.panel { background: var(--stage-1); border-radius: 14px; padding: 1.5rem; }
@media (min-width: 768px) { .panel { padding: 2rem; } }
.note { display: flex; gap: .75rem; padding-left: .75rem; border-left: 2px solid var(--line-strong); color: var(--text-2); font-size: .875rem; line-height: 1.25rem; }
.button { appearance: none; display: inline-flex; align-items: center; justify-content: center; min-height: 3rem; padding: .625rem 1.25rem; border-radius: 3px; border: 1px solid var(--line-strong); background: none; color: var(--text); font: 600 1rem/1.25 var(--font); font-stretch: 78%; text-decoration: none; text-align: left; cursor: pointer; transition: background 180ms; }
.button:hover { background: var(--stage-2); }
.button:active { background: var(--stage-3); }
.button.first { background: var(--text); border-color: var(--text); color: var(--on-text); }
.button.first:hover { background: #fff; }
.button.link { border: 0; padding: 0 .25rem; min-height: 2.75rem; text-decoration: underline; text-underline-offset: 4px; }
.button:disabled { border-style: dashed; border-color: var(--line-strong); background: none; color: var(--text-3); cursor: default; }
.rows > li, .rows > tr { border-top: 1px solid var(--line); }
.empty { padding: 3rem 0; color: var(--text-2); border-top: 1px solid var(--line); }
.truncate { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`;
