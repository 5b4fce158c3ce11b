import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { DESKTOP } from './test-app.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const DIALOG = '[role=dialog], [role=alertdialog]';
/** Campaigns (CAMPAIGNS=full) run axe, which takes a tenth of all browser tests' time, and keep pictures. */
const IS_FULL = process.env.CAMPAIGNS === 'full';
/** The page whose pictures `npm run gallery` (GALLERY=yes) takes anew. */
const GALLERY = process.env.GALLERY === 'yes' ? readFileSync('docs/gallery.md', 'utf8') : '';
/** Widths of a phone, a tablet and a desktop. `npm test` has the phone's alone, because content overflows there first. */
const WIDTHS = IS_FULL || GALLERY !== '' ? [360, 768, 1280] : [360];

/**
 * Expects no overflow at each width and at the page's own size, at which it leaves the page. In campaigns it also expects no
 * axe violation, with and without motion.
 */
export async function checkPage(page: Page, name: string): Promise<void> {
  const own = page.viewportSize() ?? DESKTOP;
  for (const width of [...WIDTHS.filter((each) => each !== own.width), own.width]) {
    await page.setViewportSize({ width, height: width === own.width ? own.height : DESKTOP.height });
    await untilStill(page);
    await keepPicture(page, name, width);
    expect.soft(await page.evaluate(overflowingElements), `${name}: overflows at ${width}`).toEqual([]);
    if (IS_FULL) expect.soft(await violations(page), `${name}: axe at ${width}`).toEqual([]);
  }
  if (!IS_FULL) return;
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await untilStill(page);
  expect.soft(await violations(page), `${name}: axe with motion`).toEqual([]);
  await page.emulateMedia({ reducedMotion: 'reduce' });
}

/** Sets the browser's text size, which is 16 px by default. */
export async function setTextSize(page: Page, px: number): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Page.setFontSizes', { fontSizes: { standard: px } });
}

/** Keeps a picture of the page, or of the window when a dialog is open or `isWindow`. Only in campaigns and for the gallery: it takes a second. */
export async function keepPicture(page: Page, name: string, width: number, isWindow = false): Promise<void> {
  const picture = `images/gallery/${name}-${width}.jpg`;
  const isShown = GALLERY.includes(`(${picture})`);
  if (!IS_FULL && !isShown) return;
  const fullPage = !isWindow && !(await hasDialog(page));
  // JPEG takes a fifth of the bytes of PNG for these dark pages.
  if (isShown) await page.screenshot({ path: `docs/${picture}`, type: 'jpeg', quality: 70, fullPage });
  if (IS_FULL) await page.screenshot({ path: `e2e/artefacts/screens/${name}-${width}.png`, fullPage });
}

const hasDialog = async (page: Page): Promise<boolean> => (await page.locator(DIALOG).count()) > 0;

/** Scrolls to the top and waits until fonts are loaded and animations have ended: axe measures contrast on the final picture. */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async (dialog) => {
    if (document.querySelector(dialog) === null) window.scrollTo(0, 0);
    await document.fonts.ready;
    // Two frames: resize and intersection observers have run by then.
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
  }, DIALOG);
}

/** Describes each violation that axe finds, with its selector. With an open dialog only the dialog is checked. */
async function violations(page: Page): Promise<string[]> {
  // Evaluated once for each document: with a source of its own, AxeBuilder evaluates it twice for each check.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const builder = new AxeBuilder({ page, axeSource: ';' });
  // Legacy mode checks in the page itself; the default mode opens a second page each time.
  const axe = builder.setLegacyMode().options({ resultTypes: ['violations'], preload: false });
  if (await hasDialog(page)) axe.include(DIALOG);
  const { violations: list } = await axe.analyze();
  return list.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id} (${help}): ${target.join(' ')}`));
}

/** Elements that reach beyond the window's edges, except inside a box that scrolls or clips. */
function overflowingElements(): string[] {
  const width = document.documentElement.clientWidth;
  const clips = (element: Element): boolean => getComputedStyle(element).overflowX !== 'visible';
  const isClipped = (element: Element): boolean => {
    for (let box = element.parentElement; box && box !== document.body; box = box.parentElement)
      if (clips(box)) return true;
    return false;
  };
  return [...document.body.querySelectorAll('*')]
    .filter((element) => {
      const { left, right, width: own } = element.getBoundingClientRect();
      return own > 0 && (right > width + 1 || left < -1) && !element.closest('.sr') && !isClipped(element);
    })
    .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`);
}
