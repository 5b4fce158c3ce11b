import { expect, test } from '@playwright/test';
import { stageOf } from '../people.js';
import { DESK, Scene } from '../scene.js';
import { buy, gather } from './cast.js';

/** The README's picture. */
test('a live round', async ({ browser }) => {
  const scene = await Scene.open('gallery');
  try {
    const cast = await gather(scene);
    const page = await scene.page(browser, cast.get('ada_west'));
    await scene.setTimers({ pregame: 1, live: 14, downtime: 14_400, extension: 30 });
    await scene.asAdmin('game/start');
    await expect(stageOf(page).getByText('LIVE GAME NOW ACTIVE')).toBeVisible();
    await buy(scene, cast, [
      ['Kestrel', 2],
      ['ada_west', 1],
      ['nova_kid', 2],
    ]);
    await expect(stageOf(page).locator('.lastbuyer')).toContainText('nova_kid');
    await page.locator('.extend').waitFor({ state: 'hidden' });
    await page.setViewportSize(DESK);
    await page.screenshot({ path: 'docs/images/live-round.png' });
  } finally {
    await scene.close();
  }
});
