import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';

const IMAGES = 'docs/images/gallery';
const PAGE = 'docs/gallery.md';
/** The picture's size, and how wide the page shows it. */
const DESK = { width: 1280, height: 860, shown: 620 };
const PHONE = { width: 360, height: 780, shown: 190 };
/** JPEG: of these dark pages a fifth of what PNG takes. */
const QUALITY = 74;

interface Shot {
  name: string;
  caption: string;
}

interface ShootOptions {
  /** Scrolled to the top of the window first; else the page's own top is shown. */
  at?: Locator;
  /** All of the page, not only what the window shows. */
  whole?: boolean;
}

/** Takes each screen on a desk and on a phone, and writes the page that shows them. */
export class Album {
  private readonly groups: { title: string; shots: Shot[] }[] = [];

  group(title: string): void {
    this.groups.push({ title, shots: [] });
  }

  async shoot(page: Page, name: string, caption: string, { at, whole = false }: ShootOptions = {}): Promise<void> {
    await mkdir(IMAGES, { recursive: true });
    for (const { width, height } of [PHONE, DESK]) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => document.fonts.ready);
      if (at) await at.evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }));
      else if ((await page.locator('[role=dialog], [role=alertdialog]').count()) === 0)
        await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
      await page.waitForTimeout(350); // Sheets arrive in 280 ms.
      const path = join(IMAGES, `${name}-${width}.jpg`);
      await page.screenshot({ path, type: 'jpeg', quality: QUALITY, fullPage: whole });
    }
    this.groups.at(-1)?.shots.push({ name, caption });
  }

  async write(): Promise<void> {
    const parts = this.groups.map(({ title, shots }) => `## ${title}\n\n${shots.map(shown).join('\n\n')}`);
    await writeFile(PAGE, `${HEAD}\n${parts.join('\n\n')}\n`);
  }
}

const HEAD = `# Gallery

Every screen, on a desk and on a phone, taken from the running application by \`npm run gallery\`. The people and their
messages are played (\`e2e/gallery/cast.ts\`); the money is the practice gateway's.
`;

const shown = ({ name, caption }: Shot): string =>
  [
    caption,
    '',
    ...[DESK, PHONE].map(
      ({ width, shown: px }) =>
        `<img src="images/gallery/${name}-${width}.jpg" width="${px}" alt="${altOf(caption, width)}">`,
    ),
  ].join('\n');

const altOf = (caption: string, width: number): string =>
  `${caption.replaceAll('"', '&quot;').replace(/\.$/, '')}, ${width} pixels wide`;
