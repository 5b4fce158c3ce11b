import { expect, type Locator, type Page } from '@playwright/test';
import { stageOf } from './game-page.js';
import { CAMPAIGN, PASSWORD, sharedApp, test } from './test-app.js';

/* The main page by keyboard alone; each focused element has a visible ring. */

const app = sharedApp();

test.beforeEach(() => app.resetGame());

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const STOPS_MAX = 80;
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement).catch(() => false)) break;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
  await expectVisibleFocus(target);
}

/** Expects a solid outline of at least two pixels on the element, its parent or its label. */
async function expectVisibleFocus(target: Locator): Promise<void> {
  const outlines = await target.evaluate((element) => {
    const around = [element, element.parentElement, element.closest('label')];
    return around.map((each) => (each ? getComputedStyle(each).outline : ''));
  });
  expect(
    outlines.some((outline) => /solid/.test(outline) && /[2-9](\.\d+)?px/.test(outline)),
    outlines.join(),
  ).toBe(true);
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Opens a dialog by its button; expects the focus to enter it, to go round inside, and to return when Escape closes it. */
async function visit(page: Page, opener: Locator, dialog: Locator): Promise<void> {
  await press(page, opener);
  await expect(dialog).toBeVisible();
  const isInside = () => dialog.evaluate((element) => element.contains(document.activeElement));
  await expect.poll(isInside).toBe(true);
  const first = await dialog.evaluateHandle(() => document.activeElement);
  const isBack = () => first.evaluate((element) => element === document.activeElement);
  for (let stops = 0; stops === 0 || (stops < 40 && !(await isBack())); stops += 1) {
    await page.keyboard.press('Tab');
    expect(await isInside()).toBe(true);
  }
  expect(await isBack()).toBe(true);
  await page.keyboard.press('Shift+Tab');
  expect(await isInside()).toBe(true);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
}

test('a visitor uses the skip link, sees the winners and registers', CAMPAIGN, async ({ browser }) => {
  const page = await app.page(browser);
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to the content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  const winners = page.getByRole('button', { name: 'Recent Winners' });
  await press(page, winners);
  const list = page.getByRole('region', { name: 'Recent winners', exact: true });
  await expect(list).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await expect(winners).toBeFocused();

  await press(page, stageOf(page).getByRole('button', { name: 'JOIN NOW' }));
  const form = page.getByRole('form', { name: 'Register' });
  for (const [label, text] of [
    ['GamerTag', 'keys_only'],
    ['Email', 'keys_only@example.com'],
    ['Password', PASSWORD],
    ['Confirm Password', PASSWORD],
  ] as const) {
    await tabTo(page, form.getByLabel(label, { exact: true }));
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
  await expect(page.getByText('Signed in askeys_only')).toBeVisible();
  await expect(stageOf(page)).toBeFocused();
  await press(page, page.getByRole('button', { name: 'Logout' }));

  await tabTo(page, page.getByRole('tab', { name: 'Register' }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Login' })).toBeFocused();
  await visit(
    page,
    page.getByRole('button', { name: 'Forgot password?' }),
    page.getByRole('dialog', { name: 'Reset Password' }),
  );
});

test('a gamer buys, opens every dialog and moves in tabs, coins and the tree', CAMPAIGN, async ({ browser }) => {
  const ada = await app.gamer('tab_ada', { tokens: 20, winningsCents: 5_000 });
  for (const tag of ['tab_one', 'tab_two', 'tab_three', 'tab_below'])
    await app.gamer(tag, { referralCode: ada.refCode });
  await app.asAdmin('game/start-live');
  const page = await app.page(browser, ada);
  const stage = stageOf(page);
  const buyButton = stage.getByRole('button', { name: 'Buy Tokens from Balance' });
  const dialog = (name: string) => page.getByRole('dialog', { name });

  await test.step('buys tokens', async () => {
    await press(page, buyButton);
    const sheet = dialog('Buy from Balance');
    await tabTo(page, sheet.getByLabel('How many tokens'));
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    const receipt = /^Purchased 3 Omni Token\(s\) successfullyIt took \d+ ms\. You became the last buyer\./;
    await expect(page.locator('.toast')).toHaveText(receipt);
    await expect(buyButton).toBeFocused();
  });

  await test.step('opens and closes every dialog', async () => {
    await page.reload();
    await visit(page, buyButton, dialog('Buy from Balance'));
    await visit(page, stage.getByRole('button', { name: 'Deposit Crypto' }), dialog('Deposit Crypto'));
    await visit(page, page.getByRole('button', { name: 'Withdraw Winnings' }), dialog('Withdraw Winnings'));
    await visit(
      page,
      page.getByRole('button', { name: 'Transfer to Purchase Balance' }),
      dialog('Transfer to Purchase Balance'),
    );
    await visit(page, page.getByRole('button', { name: 'Open the seating plan' }), dialog("tab_ada's Genealogy Tree"));
    await visit(page, page.getByRole('button', { name: 'Need Help? Contact Support' }), dialog('Support Center'));
  });

  await test.step('the tree opens, a level opens over it, Escape closes one at a time', async () => {
    const opener = page.getByRole('button', { name: 'Open the seating plan' });
    await tabTo(page, opener, 'Shift+Tab');
    await page.keyboard.press('Enter');
    const explorer = dialog("tab_ada's Genealogy Tree");
    const twig = explorer.getByRole('button', { name: /^tab_one, level 1/ });
    await press(page, twig);
    await expect(twig).toHaveAttribute('aria-expanded', 'true');
    await expect(
      explorer.getByRole('region', { name: 'The tree, level by level' }).getByText('tab_below'),
    ).toBeVisible();
    const tile = explorer.getByRole('button', { name: /^Level 1: 3 gamers/ });
    await tabTo(page, tile, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(dialog('Level 1, 3 of 3')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog('Level 1, 3 of 3')).toBeHidden();
    await expect(tile).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(opener).toBeFocused();
  });

  await test.step('arrow keys move between tabs, and between coins', async () => {
    await press(page, page.getByRole('button', { name: 'Need Help? Contact Support' }));
    const support = dialog('Support Center');
    await tabTo(page, support.getByRole('tab', { name: 'My Tickets' }));
    await page.keyboard.press('ArrowRight');
    await expect(support.getByRole('tab', { name: 'Create Ticket' })).toBeFocused();
    await expect(support.getByRole('form', { name: 'Get Support' })).toBeVisible();
    await page.keyboard.press('Escape');
    await tabTo(page, page.getByRole('button', { name: 'Withdraw Winnings' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    const withdraw = dialog('Withdraw Winnings');
    await tabTo(page, withdraw.getByRole('radio', { name: 'Bitcoin, BTC' }));
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await expect(withdraw.getByRole('radio', { name: 'Litecoin, LTC' })).toBeChecked();
    await expectVisibleFocus(withdraw.getByRole('radio', { name: 'Litecoin, LTC' }));
  });
});

test('buys once while Enter is held down', CAMPAIGN, async ({ browser }) => {
  const gamer = await app.gamer('key_holder', { tokens: 30 });
  const page = await app.page(browser, gamer);
  const stage = stageOf(page);
  await app.asAdmin('game/start-live');
  await expect(stage.getByText('LIVE GAME NOW ACTIVE')).toBeVisible();
  const bought = async () =>
    (await app.game()).purchases.flatMap(({ buyerId, quantity }) => (buyerId === gamer.id ? [quantity] : []));
  const holdEnterForASecond = async () => {
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.down('Enter');
      await page.waitForTimeout(33);
    }
    await page.keyboard.up('Enter');
  };
  const quantity = page.getByLabel('How many tokens');
  const buy = stage.getByRole('button', { name: 'Buy Tokens from Balance' });
  // Wait until the balance is known.
  await expect(buy).toBeEnabled();
  await buy.press('Enter');
  await expect(quantity).toBeFocused();
  await quantity.fill('5');
  await holdEnterForASecond();
  await expect.poll(bought).toEqual([5]);
  await stage.getByRole('button', { name: 'Buy 5 again' }).focus();
  await holdEnterForASecond();
  await page.waitForTimeout(500);
  await expect.poll(bought).toEqual([5, 5]);
});
