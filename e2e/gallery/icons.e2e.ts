import { mkdir, readFile } from 'node:fs/promises';
import { type Page, test } from '@playwright/test';

/* Draws the icons of the installed page and of its notifications from the favicon, into web/public/icons. */

const FOLDER = 'web/public/icons';
const BACKGROUND = '#120c14';

test('draws the icons', async ({ page }) => {
  await mkdir(FOLDER, { recursive: true });
  const favicon = await readFile('web/public/favicon.svg', 'utf8');
  const lamps = favicon.replace(/<rect[^>]*>/, '');
  for (const size of [192, 512]) await draw(page, `icon-${size}`, size, favicon, 1);
  // Systems cut these into their own shapes, so the background reaches the edges.
  await draw(page, 'maskable-512', 512, lamps, 0.7, BACKGROUND);
  await draw(page, 'apple-touch-180', 180, lamps, 0.85, BACKGROUND);
  // Systems take the badge's shape only.
  await draw(page, 'badge-96', 96, lamps.replaceAll(/#[0-9a-f]{6}/g, '#ffffff'), 1.1);
});

async function draw(page: Page, name: string, size: number, svg: string, scale: number, background = 'transparent') {
  await page.setViewportSize({ width: size, height: size });
  const style = `margin:0;width:${size}px;height:${size}px;overflow:hidden;background:${background};display:grid;place-items:center`;
  await page.setContent(`<body style="${style}">${svg}</body>`);
  await page.locator('svg').evaluate((element, px) => element.setAttribute('style', `width:${px}px`), size * scale);
  await page.screenshot({ path: `${FOLDER}/${name}.png`, omitBackground: true });
}
