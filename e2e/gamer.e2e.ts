import { expect, type Locator, type Page } from '@playwright/test';
import type { SupportTicket } from '../contracts/http/support.js';
import { refusalText } from '../contracts/refusals.js';
import { checkPage } from './check-page.js';
import { goByMenu, stageOf, toastOf } from './game-page.js';
import type { HttpGamer } from './http-gamer.js';
import { CAMPAIGN, sharedApp, test } from './test-app.js';

/* A gamer's page besides money: matrix, community, support, sharing. */

let ada: HttpGamer;

const app = sharedApp(async () => {
  ada = await app.gamer('ada_west', { tokens: 100, isDepositor: true });
});

const section = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

test('shows a new gamer empty lists that name their content', async ({ browser }) => {
  const page = await app.page(browser, await app.gamer('newcomer'));
  await expect(page.getByText('Signed in asnewcomer')).toBeVisible();
  await expect(stageOf(page).getByText('$0.00, enough for 0 tokens')).toBeVisible();
  await expect(page.getByText('Not a depositor yet.')).toBeVisible();
  await expect(page.getByLabel('My Referral Link')).toHaveValue(new RegExp(`^${app.url}/\\?ref=\\w{8}$`));
  for (const empty of [
    'No withdrawals yet. Your withdrawals and their status will be listed here.',
    'Nobody is seated below you yet.',
    'Nobody has joined with your link yet.',
    'You are logged in as newcomer. Log out to use these forms.',
    'Admin access required',
  ])
    await expect(page.getByText(empty)).toBeVisible();
  await expect(page.getByRole('form', { name: 'Login' })).toBeHidden();
  const adminPanel = section(page, 'Admin Panel');
  await expect(adminPanel.getByRole('button')).toHaveCount(0);
  await expect(adminPanel.locator('[inert]')).toContainText('Gamers Mini-Manager');
  await expect(adminPanel.locator('[inert]')).toHaveCSS('filter', /blur/);

  await page.getByRole('button', { name: 'Need Help? Contact Support' }).click();
  const support = page.getByRole('dialog', { name: 'Support Center' });
  await expect(support.getByText('No tickets yet. Your questions and our answers will be listed here.')).toBeVisible();
});

test('shows the matrix with the winnings of each level', async ({ browser }) => {
  const others = ['nova_kid', 'lowtide', 'Mirela-88', 'jo_harbor', 'Tamsin', 'big_owl', 'sixthrow'];
  await test.step('fourteen gamers join below ada_west, and one buys', async () => {
    const first = await app.gamer('Kestrel', { tokens: 20, referralCode: ada.refCode });
    for (const tag of others) await app.gamer(tag, { tokens: 20, referralCode: ada.refCode });
    const below = ['pale_fox', 'mina_9', 'R-Okafor', 'x_twenty_letters_lon', 'Ossian', 'wick'];
    await Promise.all(below.map((tag) => app.gamer(tag, { referralCode: first.refCode })));
    await app.asAdmin('game/start-live');
    await first.buy(app.url, 4);
    await app.asAdmin('game/reset', { reason: 'the test data is complete' });
  });
  const page = await app.page(browser, ada);
  await expect(page.getByText('14 gamers are seated below you.')).toBeVisible();
  await expect(page.getByText('8 gamers joined with your link.')).toBeVisible();
  await expect(page.getByText('Direct referral bonus: $0.04')).toBeVisible();

  await page.getByRole('button', { name: 'Open the seating plan' }).click();
  const explorer = page.getByRole('dialog', { name: "ada_west's Genealogy Tree" });
  await expect(explorer.getByText('14gamers in the team')).toBeVisible();
  const level = explorer.getByRole('button', { name: 'Level 1: 3 gamers of 3, $0.08 won. Click to view' });
  await expect(level).toContainText('L1=3');
  await explorer.getByRole('button', { name: /^Kestrel, level 1/ }).click();
  await checkPage(page, 'gamer-genealogy');

  await explorer.getByLabel('Find a gamer by tag').fill('STREL');
  await expect(explorer.getByText('1 gamer found.')).toBeVisible();
  await expect(explorer.getByRole('search').getByRole('listitem')).toContainText(['KestrelDirectlevel 1, team of']);
  await level.click();
  const levelView = page.getByRole('dialog', { name: 'Level 1, 3 of 3' });
  await expect(levelView.getByText('Direct', { exact: true })).toHaveCount(3);
  await checkPage(page, 'gamer-level');
  await levelView.getByRole('button', { name: 'View tree of Kestrel' }).click();
  const below = page.getByRole('dialog', { name: "Kestrel's Genealogy Tree" });
  await expect(below.getByRole('button', { name: 'Back to ada_west' })).toBeVisible();
  await below.getByRole('button', { name: 'Close' }).last().click();

  await expect(section(page, 'My direct referrals').getByRole('listitem')).toHaveText(['Kestrel', ...others]);
});

test('has every page in the menu at every width, and a title for each', CAMPAIGN, async ({ browser }) => {
  const page = await app.page(browser, await app.gamer('map_reader'));
  const titles = {
    'My Statement': 'My Statement',
    'My Limits': 'My Limits',
    'My Account': 'My Account',
    "Gamer's Guide": "Official Gamer's Guide",
    'Check the Ledger': 'Check the Ledger',
    'Public Record': 'Public Record',
    Fairness: "Official Gamer's Guide",
  };
  for (const width of [1280, 768, 360]) {
    await page.setViewportSize({ width, height: 780 });
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible({ visible: width >= 768 });
    await page.getByRole('button', { name: 'Menu' }).click();
    for (const name of [...Object.keys(titles), 'Deposit Crypto', 'Contact Support'])
      await expect(page.locator('.page-menu-list').getByRole('link', { name })).toBeVisible();
    if (width === 360) {
      for (const name of ['Sound when the game goes live', 'Logout'])
        await expect(page.getByRole('button', { name })).toBeVisible();
      await checkPage(page, 'gamer-menu');
    }
    await page.keyboard.press('Escape');
  }
  for (const [link, title] of Object.entries(titles)) {
    await goByMenu(page, link);
    await expect(page).toHaveTitle(`${title} · Omni Jackpot`);
  }
  await expect(page.getByRole('heading', { name: 'The honest odds' })).toBeInViewport();
  await goByMenu(page, 'Deposit Crypto');
  await expect(page.getByRole('dialog', { name: 'Deposit Crypto' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveTitle('Omni Jackpot');
  await page.locator('.foot').getByRole('link', { name: 'Contact Support' }).click();
  await expect(page.getByRole('dialog', { name: 'Support Center' })).toBeVisible();
});

test('posts to the community feed and uses the Support Center', async ({ browser }) => {
  const page = await app.page(browser, ada);
  const feed = section(page, 'Gamers Community Feed');
  const post = async (message: string) => {
    await feed.getByLabel('Message').fill(message);
    await feed.getByRole('button', { name: 'Post' }).click();
  };
  await post(`Four hundred dollars was the wall last week. ${'And a long word: '}${'o'.repeat(60)}`);
  await expect(feed.getByRole('listitem')).toContainText(['ada_westYou']);
  await post('Front row of my matrix is full!');
  await expect(feed.getByRole('listitem').filter({ hasText: 'ada_west' })).toHaveCount(2);
  await checkPage(page, 'gamer-full');

  await page.getByRole('button', { name: 'Need Help? Contact Support' }).click();
  const support = page.getByRole('dialog', { name: 'Support Center' });
  await support.getByRole('tab', { name: 'Create Ticket' }).click();
  const form = support.getByRole('form', { name: 'Get Support' });
  await form.getByRole('button', { name: 'Send Ticket' }).click();
  await expect(form.getByText(refusalText({ code: 'ticket-fields-required' }))).toHaveCount(1);
  await form.getByLabel('Subject').fill('A deposit of $20 in TRX');
  await form.getByLabel('Message').fill('It was sent on Monday at noon.\nThe round was 31.');
  await form.getByRole('button', { name: 'Send Ticket' }).click();
  await expect(support.getByRole('heading', { level: 3 })).toHaveCount(1);
  const tickets = () => ada.get<SupportTicket[]>(`${app.url}/api/support/tickets`);
  await expect.poll(async () => (await tickets()).length).toBe(1);
  const [ticket] = await tickets();
  const answer = (adminNotes: string) =>
    app.admin.put(`${app.url}/api/admin/support/tickets/${ticket?.id}`, { status: 'closed', adminNotes });
  await answer('It arrived an hour ago and is in your balance.');
  await expect(support.getByText('It arrived an hour ago and is in your balance.')).toBeVisible();
  await checkPage(page, 'gamer-support-tickets');
  await page.keyboard.press('Escape');
  const mark = page.getByText('Support answered your ticket');
  await expect(mark).toBeHidden();
  await answer('And now spent.');
  await expect(mark).toBeVisible();
  await goByMenu(page, 'Contact Support');
  await expect(support.getByText('And now spent.')).toBeVisible();
  await expect(mark).toBeHidden();
});

test('shares links, dismisses toasts and logs out', CAMPAIGN, async ({ browser }) => {
  const page = await app.blankPage(browser, ada);
  await page.clock.install();
  await page.goto('/');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const link = `${app.url}/?ref=${ada.refCode}`;
  await page.getByRole('button', { name: 'Copy referral link' }).click();
  await expect(toastOf(page)).toContainText('Copied');
  expect(await clipboard()).toBe(link);
  await page.clock.fastForward(5_000);
  await expect(toastOf(page)).toBeHidden();

  await page.getByRole('button', { name: 'Share link' }).click();
  expect(await clipboard()).toContain(link);
  await page.getByRole('button', { name: 'Share my matrix' }).click();
  expect(await clipboard()).toMatch(/^My matrix at Omni Jackpot seats \d+ gamers?\. http/);
  await expect(toastOf(page)).toHaveCount(1);
  await page.keyboard.press('F8');
  await expect(page.getByLabel('Notifications (F8)').locator('.toasts')).toBeFocused();
  await page.clock.fastForward(5_000);

  await page.evaluate(() => {
    navigator.share = async (shared) => {
      Object.assign(document.body.dataset, shared);
    };
  });
  await page.getByRole('button', { name: 'Share link' }).click();
  expect(await page.evaluate(() => document.body.dataset.url)).toBe(link);
  await expect(toastOf(page)).toBeHidden();

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('tab', { name: 'Login' })).toBeVisible();
  await expect(page.getByText('Log in to see your winnings')).toBeVisible();
});
