import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** A phone, a tablet, a desk. */
const WIDTHS = [360, 768, 1280];
const HEIGHT = 900;
const SCREENS = 'e2e/artefacts/screens';
/** One that asks for a decision is one, too. */
const DIALOG = '[role=dialog], [role=alertdialog]';

/**
 * Looks at the page as it stands, at each width: axe finds nothing, nothing sticks out sideways, and the picture is kept
 * as `<name>-<width>.png`. Without motion at each width, and with it at the last. Afterwards the page is as it was.
 *
 * @param name of the pictures; several words joined with dashes
 */
export async function lookAt(page: Page, name: string): Promise<void> {
  const own = page.viewportSize();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const isDialog = await hasDialog(page);
    if (!isDialog) await page.evaluate(() => window.scrollTo(0, 0));
    await atRest(page);
    await page.screenshot({ path: `${SCREENS}/${name}-${width}.png`, fullPage: !isDialog });
    expect.soft(await page.evaluate(stickingOut), `${name}: sticks out at ${width}`).toEqual([]);
    expect.soft(await violations(page, isDialog), `${name}: axe at ${width}, reduced motion`).toEqual([]);
  }
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await atRest(page);
  expect.soft(await violations(page, await hasDialog(page)), `${name}: axe with motion`).toEqual([]);
  if (own) await page.setViewportSize(own);
}

/** A dialog stands in the window, not on the page. */
const hasDialog = async (page: Page): Promise<boolean> => (await page.locator(DIALOG).count()) > 0;

/** Contrast is measured on what stands, not on what is on its way. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    // Two frames: what watches sizes and places has answered by then.
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    // A cancelled animation is at rest too.
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
  });
}

/** What axe finds, in words that lead to the place. Behind a dialog nothing can be reached, nor is looked at again. */
async function violations(page: Page, isDialog: boolean): Promise<string[]> {
  // One frame, one pass: the builder's other way opens a second page each time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], preload: false });
  if (isDialog) axe.include(DIALOG);
  const { violations: found } = await axe.analyze();
  return found.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id} (${help}): ${target.join(' ')}`));
}

/** Elements beyond the window's edges, but for those in a box that scrolls or clips by itself. */
function stickingOut(): string[] {
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
