import { type Html, type HtmlValue, html } from './html.js';
import { LIVE_SCRIPT_PATH } from './live-script.js';
import { LOOK_PATH } from './look.js';

export interface Layout {
  title: string;
  /** Of the stand-in, beside its mark. */
  name: string;
  /** What kind of thing this is, to the right of the name. */
  where: string;
  /** Follows what the server would show now. */
  isLive?: boolean;
  content: HtmlValue;
}

/** A whole page: the mark, which leads to the stand-in's first page, and what the page is about. */
export const layout = ({ title, name, where, isLive, content }: Layout): Html => html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${LOOK_PATH}">
${isLive === true && html`<script src="${LIVE_SCRIPT_PATH}" defer></script>`}
</head>
<body>
<div class="wrap">
<header class="top"><a href="/"><span class="lamps" aria-hidden="true"><i></i><i></i><i></i></span>${name}</a><span class="where">${where}</span></header>
<main>${content}</main>
</div>
</body>
</html>`;
