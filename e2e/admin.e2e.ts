import { type Browser, expect, type Page } from '@playwright/test';
import { localTimeAt } from '../contracts/local-times.js';
import {
  adminOf,
  dialogOf,
  expectToast,
  openGamer,
  openPanel,
  panelLinks,
  panelOf,
  questionOf,
  rowsOf,
  savedCsv,
  tab,
} from './admin-panel.js';
import { checkPage } from './check-page.js';
import { submitLogin } from './game-page.js';
import type { HttpGamer } from './http-gamer.js';
import { CAMPAIGN, sharedApp, test } from './test-app.js';

/* The admin panels of the game, gamers, tickets and posts. */

// Each test goes on with the lists of the one before.
test.describe.configure({ mode: 'serial' });

let page: Page;
const gamers = new Map<string, HttpGamer>();
const idOf = (gamerTag: string): string => (gamers.get(gamerTag) as HttpGamer).id;

const app = sharedApp(async (browser) => {
  await app.emptyQueues();
  const alice = await app.gamer('alice', { tokens: 100, winningsCents: 4_000 });
  gamers.set('alice', alice);
  const others = ['bob', 'carol', 'dave', 'erin'];
  // One after the other: the order of registration decides the places in the matrix, and only 20 may wait per address.
  for (const gamerTag of others)
    gamers.set(gamerTag, await app.gamer(gamerTag, { tokens: 10, referralCode: alice.refCode }));
  for (let i = 0; i < 26; i += 1) await app.gamer(`guest_${String(i).padStart(2, '0')}`);
  page = await app.page(browser, await adminOf(app));
});

test('starts, forces live and resets the game, with its refusals and confirmations', async () => {
  const panel = panelOf(page, 'Game Control');
  await expect(panel.getByText('Ready — Click Start to Begin')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Reset to Idle' })).toBeHidden();

  await test.step('timers accept whole seconds from 1 on', async () => {
    const pregame = panel.getByLabel('Pregame');
    await pregame.fill('45');
    await pregame.fill('1.5');
    await expect(pregame).toHaveValue('45');
    await pregame.fill('600');
    await panel.getByLabel('Live').fill('300');
    await panel.getByLabel('Downtime').fill('3600');
    await panel.getByRole('button', { name: 'Save timers' }).press('Enter');
    await expectToast(page, 'Timer Settings Updated');
    expect(await app.game()).toMatchObject({ timers: { pregameDurationSeconds: 600, downtimeDurationSeconds: 3_600 } });
  });

  await test.step('a start is planned, shown to visitors in their own time, and cancelled', async () => {
    const visitor = await app.blankPage(page.context().browser() as Browser, undefined, { timezoneId: 'Asia/Tokyo' });
    await visitor.goto('/');
    await expect(visitor.getByText('No next game is set yet.')).toBeVisible();
    // The admin's browser has this computer's zone. That the start comes by itself is shown by planned-start.int.spec.ts.
    const startsAtMs = Math.ceil((Date.now() + 300_000) / 60_000) * 60_000;
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    await panel.getByLabel('Next start').fill(localTimeAt(startsAtMs, timeZone));
    await panel.getByLabel('Repeat').selectOption('Daily at this time');
    await panel.getByRole('button', { name: 'Plan this start' }).click();
    await expectToast(page, 'Start Planned');
    const format = { hour: 'numeric', minute: '2-digit', timeZone: 'Asia/Tokyo' } as const;
    const time = new Date(startsAtMs).toLocaleTimeString('en-US', format);
    await expect(visitor.getByText(new RegExp(`Next game .*at ${time}, in [56] min\\.`))).toBeVisible();
    await expect(panel.getByText(/Next start .* at .*, in .*\. Daily at \d\d:\d\d in /)).toBeVisible();
    await checkPage(page, 'admin-planned');
    await panel.getByRole('button', { name: 'Cancel this start' }).click();
    await expectToast(page, 'Start Cancelled');
    await expect(visitor.getByText('No next game is set yet.')).toBeVisible();
  });

  await test.step('a start says what it does, and Escape closes the question of a reset', async () => {
    await panel.getByRole('button', { name: 'Start Game' }).click();
    const start = questionOf(page, 'Start the game?');
    await expect(start).toContainText('Everyone sees the pregame now. After 10 minutes every gamer can buy tokens.');
    await start.getByRole('button', { name: 'Start Game' }).click();
    await expectToast(page, 'Game Started');
    await expect(panel.getByText('Game running automatically')).toBeVisible();
    await expect(panel.getByText(/Game starting in: (10|09):\d\d/)).toBeVisible();
    await expect(panel.getByRole('button', { name: 'Start Game' })).toBeDisabled();

    const reset = panel.getByRole('button', { name: 'Reset to Idle' });
    await reset.press('Enter');
    const question = questionOf(page, /^Reset round \d+\?$/);
    await expect(question).toContainText('The round ends before anyone has bought. No money is involved.');
    await expect(question.getByRole('button', { name: 'Keep the round running' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(reset).toBeFocused();
  });

  await test.step('the reset of a round with purchases says where its money goes', async () => {
    await panel.getByRole('button', { name: 'Force Start Live (5min)' }).click();
    const goLive = questionOf(page, 'Go live now?');
    await expect(goLive).toContainText('with 5 minutes on the clock. The pregame ends for everyone.');
    await goLive.getByRole('button', { name: 'Go live' }).click();
    await expectToast(page, 'Live Phase Started', /^Round \d+ is live for 5 minutes$/);
    await expect(panel.getByText(/Live Game Now Active 0[45]:\d\d/)).toBeVisible();
    await gamers.get('bob')?.buy(app.url, 2);
    await panel.getByRole('button', { name: 'Reset to Idle' }).click();
    const question = questionOf(page, /^Reset round \d+\?$/);
    await expect(question).toContainText(
      /The clock stops now and nobody wins this round. The jackpot of \$\d+\.\d\d carries into the next round. Matrix and operator shares already paid stay as they are./,
    );
    await checkPage(page, 'admin-reset');
    await question.getByLabel('Reason, published in the record').fill('A lamp was broken');
    await question.getByRole('button', { name: 'Reset to Idle' }).click();
    await expectToast(page, 'Game Reset', 'The game is idle');
    await expect(question).toBeHidden();
    expect(await app.game()).toMatchObject({ gameState: 'idle' });
  });

  await test.step('and is in the public record, with its reason', async () => {
    const record = await page.context().newPage();
    await record.goto('/record');
    const reset = record.getByRole('listitem').filter({ hasText: 'Reason: A lamp was broken' });
    await expect(reset).toContainText(/Round \d+ void.*It had 1 purchase. \$\d+\.\d\d went into the next round./s);
    await expect(record.getByRole('row', { name: /\d{4} \d+ adjustments? \$.* added/ })).toHaveCount(1);
    await checkPage(record, 'public-record');
    await record.close();
  });
});

test('each panel has an address, and fits on a phone', async ({ browser }) => {
  const phone = await app.blankPage(browser, undefined, { viewport: { width: 360, height: 740 } });
  await phone.goto('/admin/gamers');
  await phone.getByRole('region', { name: 'Admin Panel' }).getByRole('link', { name: 'Log in' }).click();
  await submitLogin(phone, { gamerTag: 'admin', password: app.application.adminPassword });
  await expect(rowsOf(panelOf(phone, 'Gamers Mini-Manager'))).toHaveCount(25);
  for (const link of await panelLinks(phone).all()) {
    await link.click();
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expect(phone.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
    expect(await phone.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(2_500);
  }
  await expect(phone).toHaveURL('/admin/security-events');
  await phone.goBack();
  await expect(panelOf(phone, 'Community posts')).toBeVisible();
  await phone.goto('/admin');
  await expect(panelOf(phone, 'Game Control')).toBeVisible();
  await phone.goto('/admin/nothing');
  await expect(phone.getByText('No panel of yours has this address.')).toBeVisible();
  await phone.context().close();
});

test('finds, pages and exports gamers by keyboard', CAMPAIGN, async () => {
  const panel = await openPanel(page, 'Gamers Mini-Manager');
  await panel.getByLabel('GamerTag or email').fill('GUEST_');
  await expect(panel.getByText('26 gamers')).toBeVisible();
  await expect(rowsOf(panel)).toHaveCount(25);
  await checkPage(page, 'admin-gamers');

  const next = panel.getByRole('button', { name: 'Next' });
  await next.press('Enter');
  await expect(rowsOf(panel)).toHaveCount(1);
  await expect(panel.getByText('Page 2 of 2')).toBeVisible();
  await panel.getByLabel('GamerTag or email').fill('alice');
  await expect(rowsOf(panel)).toContainText(['alice@example.com']);
  const { name, records } = await savedCsv(page.getByRole('button', { name: 'Export CSV: Gamers', exact: true }));
  expect(name).toMatch(/^gamers-\d{4}-\d\d-\d\d\.csv$/);
  const [head, ...rows] = records;
  expect(head).toEqual(['Gamer', 'Email', 'Role', 'Depositor until', 'Purchase (USD)', 'Winnings (USD)', 'Id']);
  expect(rows).toContainEqual(['alice', 'alice@example.com', 'gamer', '', '30.00', '40.00', idOf('alice')]);

  await panel.getByLabel('GamerTag or email').fill('dave');
  await expect(rowsOf(panel)).toContainText(['dave@example.com']);
  await panel.getByLabel('GamerTag or email').focus();
  // Tabs past the scrolling region to the row's own link.
  for (let steps = 0; steps < 12; steps += 1) {
    await page.keyboard.press('Tab');
    if ((await page.locator(':focus').textContent()) === 'dave') break;
  }
  await page.keyboard.press('Enter');
  await expect(panelOf(page, 'Gamer')).toContainText('dave@example.com');
});

test('a payment that changed leads to an adjustment with its id as the reason', async () => {
  const row = { paymentId: '77', gamerId: idOf('carol'), gamerTag: 'carol', purpose: 'deposit', outcome: 'approved' };
  const change = { creditedCents: 500, cryptoType: 'DOGE', change: 'Refunded', changedAtMs: Date.now() };
  await page.route('**/api/admin/payments/changed?*', (route) => route.fulfill({ json: [{ ...row, ...change }] }));
  const deposits = await openPanel(page, 'Deposits');
  await tab(deposits, 'Changed').click();
  await deposits.getByRole('link', { name: 'Adjust carol for payment 77' }).click();
  const reason = dialogOf(page, 'Adjust the balances of carol').getByLabel('Reason, kept in the ledger');
  await expect(reason).toHaveValue('Payment 77');
  await page.keyboard.press('Escape');
  await page.unroute('**/api/admin/payments/changed?*');
});

test('edits a gamer’s profile, password, status, role and balances, and deletes one', async ({ browser }) => {
  const carols = await app.page(browser, gamers.get('carol'));
  const panel = await openGamer(page, 'carol');
  const press = (name: string) => panel.getByRole('button', { name }).click();

  await test.step('profile', async () => {
    await press('Edit gamer');
    const dialog = dialogOf(page, 'Edit carol');
    await dialog.getByLabel('GamerTag').fill('Carola');
    await dialog.getByLabel('Email').fill('carol@carola.example');
    await dialog.getByRole('button', { name: 'Save profile' }).press('Enter');
    await expectToast(page, 'Profile Updated', 'Carola, carol@carola.example');
    await expect(panel.getByRole('heading', { name: 'Carola' })).toBeVisible();
  });

  await test.step('a profile that was saved elsewhere meanwhile', async () => {
    await press('Edit gamer');
    await dialogOf(page, 'Edit Carola').getByLabel('Email').fill('carol@home.example');
    const path = `/api/admin/mini/gamers/${idOf('carol')}/profile`;
    await page.request.patch(path, { data: { gamerTag: 'Carolina', email: 'carol@carola.example' } });
    await dialogOf(page, 'Edit Carola').getByRole('button', { name: 'Save profile' }).click();
    await expectToast(page, 'Update Failed', 'admin changed this after you had opened it. Nothing was saved.');
    const dialog = dialogOf(page, 'Edit Carolina');
    await expect(dialog).toContainText('GamerTag: Carolina, was Carola.');
    await checkPage(page, 'admin-changed-meanwhile');
    await dialog.getByRole('button', { name: 'Save mine' }).click();
    await expectToast(page, 'Profile Updated', 'Carolina, carol@home.example');
  });

  await test.step('the depositor status asks first', async () => {
    await press('Make depositor');
    const question = questionOf(page, 'Make Carolina a depositor?');
    await expect(question).toContainText('For 30 days from now their matrix pays them.');
    await question.getByRole('button', { name: 'Make depositor' }).press('Enter');
    await expectToast(page, 'Depositor Status Updated', /^Carolina: A depositor until/);
    await expect(panel.getByRole('button', { name: 'End depositor status' })).toBeVisible();
  });

  await test.step('balances', async () => {
    await press('Adjust balances');
    const dialog = dialogOf(page, 'Adjust the balances of Carolina');
    await dialog.getByLabel('Purchase, ± dollars').fill('-1.25');
    await dialog.getByLabel('Winnings, ± dollars').fill('2');
    await dialog.getByLabel('Reason, kept in the ledger').fill('A prize, less a refund');
    await checkPage(page, 'admin-adjust');
    await dialog.getByRole('button', { name: 'Adjust balances' }).click();
    await expectToast(page, 'Balances Adjusted');
  });

  await test.step('the page shows tickets, limits, history and money, and fits on a phone', async () => {
    for (const text of ['Gamer, carol@home.example', 'Own limits: none.', 'This gamer has written no ticket.'])
      await expect(panel.getByText(text)).toBeVisible();
    for (const part of ['History', 'Money']) {
      await tab(panel, part).click();
      await expect(panel.getByText('A prize, less a refund').first()).toBeVisible();
    }
    await tab(panel, 'History').click();
    await checkPage(page, 'admin-gamer-History');
    const opening = page.waitForEvent('popup');
    await panel.getByRole('link', { name: 'Event' }).first().click();
    await expect((await opening).getByRole('link', { name: 'Page of Carolina' })).toBeVisible();
  });

  await test.step('a new password logs the gamer out', async () => {
    await press('Set a new password');
    const question = questionOf(page, 'Set a new password for Carolina?');
    await checkPage(page, 'admin-password');
    await question.getByLabel('New password').fill('a new pass phrase');
    await question.getByRole('button', { name: 'Set password' }).click();
    await expectToast(page, 'Password Updated', 'Carolina is logged out everywhere.');
    expect(await carols.evaluate(async () => (await (await fetch('/api/auth/status')).json()).isAuthenticated)).toBe(
      false,
    );
  });

  await test.step('deletion lists the losses and requires the typed tag', async () => {
    await openGamer(page, 'alice');
    await press('Delete gamer');
    const question = questionOf(page, 'Delete alice for good?');
    for (const words of [
      'Their $30.00 purchase balance and $40.00 winnings are forfeited to the operator.',
      'This cannot be undone.',
    ])
      await expect(question).toContainText(words);
    const sure = question.getByRole('button', { name: 'Delete for good' });
    await expect(sure).toBeDisabled();
    await question.getByLabel('Type alice to confirm').fill('alice');
    await checkPage(page, 'admin-delete');
    await sure.click();
    await expectToast(page, 'Gamer Deleted', 'alice was deleted. 3 gamers moved in the matrix.');
    await page.goto(`/admin/gamers/${idOf('alice')}`);
    await expect(page.getByText('No gamer has this address any more.')).toBeVisible();
  });
});

test('answers, closes and reopens tickets, and hides posts', async () => {
  const bob = gamers.get('bob') as HttpGamer;
  const written = (path: string, body: object) => bob.post(`${app.url}/api/${path}`, { gamerId: bob.id, ...body });
  const tickets = await openPanel(page, 'Support Tickets');
  for (const subject of ['My deposit', 'My tag'])
    expect((await written('support/tickets', { subject, message: `About ${subject}, please.` })).status).toBe(201);
  await expect(rowsOf(tickets)).toHaveCount(2);
  const waiting = await openPanel(page, 'Waiting for you');
  await expect(rowsOf(waiting)).toContainText([/2 tickets.*bob.*My deposit/]);
  await checkPage(page, 'admin-waiting');
  await expect(panelLinks(page).filter({ hasText: 'Support Tickets' })).toHaveText('Support Tickets2 wait');
  await openPanel(page, 'Support Tickets');
  await checkPage(page, 'admin-tickets');

  const answer = tickets.getByRole('button', { name: 'Answer bob’s ticket: My deposit' });
  await answer.press('Enter');
  let dialog = dialogOf(page, 'My deposit');
  await expect(dialog).toContainText('About My deposit, please.');
  const notes = dialog.getByLabel('Answer to bob');
  await notes.fill('It is on its way.');
  await checkPage(page, 'admin-ticket');
  await dialog.getByRole('button', { name: 'Answer', exact: true }).click();
  await expectToast(page, 'Ticket Updated', 'bob: My deposit');
  await expect(rowsOf(tickets).filter({ hasText: 'My deposit' })).toContainText('Answered');
  await expect(panelLinks(page).filter({ hasText: 'Support Tickets' })).toHaveText('Support Tickets1 waits');
  await answer.press('Enter');
  await expect(dialog.getByRole('list', { name: 'Conversation' })).toContainText('It is on its way.');
  await dialog.getByRole('button', { name: 'Close ticket' }).click();
  await expectToast(page, 'Ticket Closed', 'bob: My deposit');
  await expect(rowsOf(tickets)).toHaveCount(1);

  await tab(tickets, 'Open').press('ArrowRight');
  await expect(tab(tickets, 'Closed')).toHaveAttribute('aria-selected', 'true');
  await tickets.getByRole('button', { name: 'Read bob’s ticket: My deposit' }).click();
  dialog = dialogOf(page, 'My deposit');
  await dialog.getByRole('button', { name: 'Reopen ticket' }).click();
  await expectToast(page, 'Ticket Reopened', 'bob: My deposit');
  await tab(tickets, 'Open').click();
  await expect(rowsOf(tickets)).toHaveCount(2);
  const posts = await openPanel(page, 'Community posts');
  for (const message of ['Good luck everyone', 'Buy my coins elsewhere'])
    expect((await written('community/posts', { message })).status).toBe(201);
  await expect(rowsOf(posts).filter({ hasText: 'bob' })).toHaveCount(2);
  await checkPage(page, 'admin-posts');
  await rowsOf(posts).filter({ hasText: 'elsewhere' }).getByRole('button', { name: 'Hide bob’s post' }).click();
  const question = questionOf(page, 'Hide bob’s post?');
  await expect(question).toContainText('It disappears from the community feed for everyone and cannot be restored.');
  await question.getByLabel('Reason, kept in the log').fill('An advertisement');
  await checkPage(page, 'admin-hide-post');
  await question.getByRole('button', { name: 'Hide post' }).click();
  await expectToast(page, 'Post Hidden', 'bob’s post is no longer in the feed.');
  await expect(rowsOf(posts).filter({ hasText: 'bob' })).toHaveCount(1);
  await page.goto('/');
  const feed = page.getByRole('region', { name: 'Gamers Community Feed' });
  await expect(feed).toContainText('Good luck everyone');
  await expect(feed).not.toContainText('elsewhere');
});
