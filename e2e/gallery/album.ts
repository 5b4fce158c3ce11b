import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';

const IMAGES = 'docs/images/gallery';
const PAGE = 'docs/gallery.md';
/** Size of each picture, and its width on the page. */
const DESKTOP = { width: 1280, height: 860, shown: 620 };
const PHONE = { width: 360, height: 780, shown: 190 };
/** JPEG quality; of these dark pages JPEG takes a fifth of the bytes of PNG. */
const QUALITY = 74;

interface ShootOptions {
  /** Element to scroll to the top of the window; the page's top when absent. */
  at?: Locator;
  /** The whole page instead of the window. */
  whole?: boolean;
  /** Presses Escape afterwards, to close a dialog. */
  closes?: boolean;
}

/** Takes each screen on a desktop and on a phone, and writes docs/gallery.md. */
export class Album {
  private readonly groups: { title: string; shots: { name: string; caption: string }[] }[] = [];

  group(title: string): void {
    this.groups.push({ title, shots: [] });
  }

  async shoot(page: Page, name: string, caption: string, options: ShootOptions = {}): Promise<void> {
    const { at, whole = false, closes = false } = options;
    await mkdir(IMAGES, { recursive: true });
    for (const { width, height } of [PHONE, DESKTOP]) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => document.fonts.ready);
      if (at) await at.evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }));
      else if ((await page.locator('[role=dialog], [role=alertdialog]').count()) === 0)
        await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
      await page.waitForTimeout(350); // A sheet opens in 280 ms.
      const path = join(IMAGES, `${name}-${width}.jpg`);
      await page.screenshot({ path, type: 'jpeg', quality: QUALITY, fullPage: whole });
    }
    this.groups.at(-1)?.shots.push({ name, caption });
    if (closes) await page.keyboard.press('Escape');
  }

  async write(): Promise<void> {
    const parts = this.groups.map(({ title, shots }) => `## ${title}\n\n${shots.map(shown).join('\n\n')}`);
    await writeFile(PAGE, `${HEAD}\n${parts.join('\n\n')}\n`);
  }
}

const HEAD = `# Gallery

Every screen on a desktop and on a phone, taken from the running application by \`npm run gallery\`. The gamers and their
messages are made up (\`e2e/gallery/screens.e2e.ts\`); the money is the practice gateway's.
`;

const shown = ({ name, caption }: { name: string; caption: string }): string =>
  [
    caption,
    '',
    ...[DESKTOP, PHONE].map(
      ({ width, shown: px }) =>
        `<img src="images/gallery/${name}-${width}.jpg" width="${px}" alt="${altOf(caption, width)}">`,
    ),
  ].join('\n');

const altOf = (caption: string, width: number): string =>
  `${caption.replaceAll('"', '&quot;').replace(/\.$/, '')}, ${width} pixels wide`;
