import { expect, type Page } from '@playwright/test';
import type { PendingDeposit } from '../contracts/http/deposits.js';
import { refusalText } from '../contracts/refusals.js';
import { expectToast } from './admin-panel.js';
import { checkPage } from './check-page.js';
import { buy, fillRegistration, openLogin, stageOf } from './game-page.js';
import { HttpGamer } from './http-gamer.js';
import { orderDeposit, payAs } from './payments.js';
import { CAMPAIGN, DESKTOP, PASSWORD, sharedApp, test } from './test-app.js';
import { expectUncovered } from './uncovered.js';

/* The pages for a visitor without an account. The texts are those of the specification. */

const app = sharedApp();

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('shows loading and failed parts of the page, and tries again', async ({ browser }) => {
  const page = await app.blankPage(browser);
  const context = page.context();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The socket brings the board as well.
  for (const path of ['api/*', 'api/purchases/recent', 'api/community/posts', 'ws/*'])
    await context.route(`**/${path}*`, async (route) => {
      await released;
      await route.abort();
    });
  await page.goto('/');
  await expect(stageOf(page).getByText('Loading Game Status')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Loading recent winners' })).toBeVisible();
  for (const label of ['Loading recent purchases', 'Loading the community feed'])
    await expect(page.getByRole('status', { name: label })).toBeVisible();

  release();
  await expect(page.getByRole('button', { name: 'Recent Winners (unavailable)' })).toBeVisible();
  for (const failure of [
    'The game status could not be loaded',
    'Recent purchases could not be loaded',
    'The community feed could not be loaded',
  ])
    await expect(page.getByRole('alert').filter({ hasText: failure })).toBeVisible();
  // The page takes nobody for a visitor yet: it does not know.
  for (const name of ['My Winnings', 'My 3x7 Matrix Genealogy'])
    await expect(section(page, name).getByText('Your session could not be loaded')).toBeVisible();
  await checkPage(page, 'visitor-failed');

  await expect(page.getByText('Connection lost - Attempting to reconnect...')).toBeVisible();
  await context.unrouteAll({ behavior: 'wait' });
  await section(page, 'Recent Purchases').getByRole('button', { name: 'Try again' }).click();
  await expect(section(page, 'Recent Purchases').getByRole('alert')).toHaveCount(0);
  await section(page, 'Gamers Community Feed').getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('The community feed could not be loaded')).toHaveCount(0);
  await expect(stageOf(page).getByText('Game Ready to Start')).toBeVisible();
  await expect(page.getByText('Log in to see your winnings')).toBeVisible();
  await expect(page.getByRole('form', { name: 'Register' })).toBeVisible();
});

test('shows the stage without scripts', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: app.url });
  const page = await context.newPage();
  await page.goto('/');
  await expect(page.getByText('Loading Game Status')).toBeVisible();
  await expect(page.getByText('TIME REMAINING')).toBeVisible();
  // Buttons are inert until the scripts are loaded.
  await expect(page.locator('#root > [inert]').getByRole('button').first()).toBeVisible();
  await page.goto('/reset-password?token=unknown');
  await expect(page).toHaveTitle('Omni Jackpot');
  await expect(page.locator('#root')).toBeEmpty();
  await context.close();
});

test('registers with a referral link, after each refusal', async ({ browser }) => {
  const host = await app.gamer('the_host');
  const page = await app.page(browser);
  const form = page.getByRole('form', { name: 'Register' });
  const fill = async (values: Record<string, string>) => {
    for (const [label, value] of Object.entries(values)) await form.getByLabel(label, { exact: true }).fill(value);
    await form.getByRole('button', { name: 'Register', exact: true }).click();
  };
  await app.asAdmin('game/start-live');
  await page.setViewportSize({ width: 360, height: 740 });
  await fill({});
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid Form' })).toBeVisible();
  await expect(form.getByText(refusalText({ code: 'all-fields-required' }))).toBeInViewport({ ratio: 1 });
  await expect(form.getByRole('button', { name: 'Register' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('complementary', { name: 'Live game' })).toBeHidden();
  await expect(form.getByLabel('GamerTag')).toBeFocused();
  await page.setViewportSize(DESKTOP);
  await app.resetGame();
  await checkPage(page, 'visitor-register-refused');
  const joining = { GamerTag: 'joining', Email: 'new@example.com', Password: PASSWORD, 'Confirm Password': PASSWORD };
  await fill({ ...joining, GamerTag: 'THE_HOST' });
  await expect(form.getByText(refusalText({ code: 'gamer-tag-taken' }))).toBeVisible();

  await page.goto('/?ref=nobody99');
  await expect(form.getByText("This referral code doesn't exist: nobody99.")).toBeVisible();
  await expect(page.getByText('The referral code nobody99 is unknown')).toBeInViewport();
  await fill(joining);
  await expect(form.getByText('Registration failed')).toBeVisible();
  await form.getByRole('button', { name: 'register without it' }).click();
  await page.goto(`/gamers-guide?ref=${host.refCode}`);
  await expect(page.getByText('the_host invited you')).toBeInViewport();
  await page.getByRole('link', { name: 'Return to Game' }).first().click();
  await expect(form.getByText('Invited by the_host')).toBeVisible();
  await fill(joining);
  await expect(page.locator('.toast').filter({ hasText: 'Account created successfully' })).toBeVisible();
  const nextStep = page.getByRole('complementary', { name: 'Your next step' });
  await expectUncovered(nextStep, 'the next step');
  await expect(page.getByText('Signed in asjoining')).toBeVisible();
  await expect(nextStep).toHaveText(
    'We mailed a link to new@example.com: it confirms your email. Next: deposit crypto.',
  );
  const gamer = await HttpGamer.logIn(app.url, 'new@example.com', PASSWORD);
  await payAs(app, await orderDeposit(app, gamer, 20), 'underpay');
  await expect(nextStep).toBeHidden();
  const pending = await app.admin.get<PendingDeposit[]>(`${app.url}/api/admin/deposits/pending`);
  await app.asAdmin('approve-deposit', { depositId: pending.find(({ gamerTag }) => gamerTag === 'joining')?.id });
  await expect(nextStep).toHaveText('Next: wait until the game is live.');
  await app.asAdmin('game/start-live');
  await expect(nextStep).toHaveText('Next: buy a token while the game is live.');
  await buy(page, 1);
  await expect(nextStep).toBeHidden();
});

test('says before and after a registration that cookies are blocked', CAMPAIGN, async ({ browser }) => {
  const register = async (page: Page, gamerTag: string) =>
    fillRegistration(page.getByRole('form', { name: 'Register' }), { gamerTag, password: PASSWORD });
  const stripping = await app.blankPage(browser);
  await stripping.route('**/api/register', async (route) => {
    const headers = { 'content-type': 'application/json', origin: app.url };
    const response = await fetch(route.request().url(), { method: 'POST', headers, body: route.request().postData() });
    // Drops the response's cookie, as an extension may do.
    await route.fulfill({ status: response.status, body: await response.text(), contentType: 'application/json' });
  });
  await stripping.goto('/');
  await register(stripping, 'cookieless');
  await expect(stripping.locator('.toast')).toContainText('Your account was created, but your browser kept no cookie');
  await expect(stripping.getByText('Your session has ended')).toBeHidden();

  const page = await app.blankPage(browser);
  const settings = await page.context().newCDPSession(page);
  await settings.send('Emulation.setDocumentCookieDisabled', { disabled: true });
  await page.goto('/');
  await expect(page.getByRole('form', { name: 'Register' })).toContainText('Please allow cookies for this site');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await register(page, 'cookieless_2');
  await expect(page.locator('.toast')).toContainText('Cookies are blocked');
  expect(requests.filter((url) => url.includes('/api/register'))).toEqual([]);
});

test('resets a forgotten password by mail', async ({ browser }) => {
  await app.gamer('forgets');
  const page = await app.page(browser);
  const login = await openLogin(page);
  const enter = async (password: string) => {
    await login.getByLabel('GamerTag').fill('forgets');
    await login.getByLabel('Password').fill(password);
    await login.getByRole('button', { name: 'Login' }).click();
  };
  await enter('not the phrase');
  await expect(login.getByText('Login failed')).toBeVisible();
  await expect(login.getByText(refusalText({ code: 'invalid-credentials' }))).toBeVisible();

  const forgot = page.getByRole('button', { name: 'Forgot password?' });
  await forgot.click();
  const dialog = page.getByRole('dialog', { name: 'Reset Password' });
  await checkPage(page, 'visitor-forgot-password');
  await dialog.getByLabel('GamerTag').fill('forgets');
  await dialog.getByLabel('Email').fill('forgets@example.com');
  await dialog.getByRole('button', { name: 'Send reset email' }).click();
  await expect(dialog).toBeHidden();
  await expect(
    page.getByText('If your account exists, a password reset email has been sent. Please check your email.'),
  ).toBeVisible();

  const mail = await app.mailTo('forgets@example.com', 'Reset your Omni Jackpot password');
  await page.goto(/\/reset-password\?token=[\w-]+/.exec(mail)?.[0] ?? '');
  const form = page.getByRole('form', { name: 'Reset Password' });
  const update = async (password: string, confirmation: string) => {
    await form.getByLabel('New password').fill(password);
    await form.getByLabel('Confirm password').fill(confirmation);
    await form.getByRole('button', { name: 'UPDATE PASSWORD' }).click();
  };
  await expect(page.getByRole('link', { name: 'Back to the game' })).toBeVisible();
  await update('a new phrase', 'another phrase');
  await expect(form.getByText(refusalText({ code: 'passwords-do-not-match' }))).toBeVisible();
  await checkPage(page, 'visitor-reset-password');
  await update('a new phrase', 'a new phrase');
  await expectToast(
    page,
    'Success!',
    'Your password has been updated successfully. Please log in with your new password.',
  );
  await expect(page).toHaveURL(`${app.url}/#login`);

  await enter('a new phrase');
  await expectToast(page, 'Success!', 'Logged in successfully');
});

test('redirects from a reset link without a token and after a payment; shows the guide, and an unknown path with the header of every page', async ({
  browser,
}) => {
  const page = await app.blankPage(browser);
  await page.clock.install();
  await page.goto('/reset-password');
  await expect(page.getByRole('heading', { name: 'Invalid Reset Link' })).toBeVisible();
  const toast = page.locator('.toast');
  await expect(toast).toHaveText(/Invalid Reset LinkThis reset link is invalid or has expired\./);
  await page.clock.fastForward(5_000);
  await page.waitForURL(`${app.url}/`);
  await page.goto('/payment-success');
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  await expect(page.getByText('Your balance will be updated within a few minutes')).toBeVisible();
  await page.clock.fastForward(5_000);
  await page.waitForURL(`${app.url}/`);
  await preventRedirect(page);
  await page.goto('/reset-password');
  await checkPage(page, 'visitor-reset-missing');
  await page.goto('/payment-success');
  await checkPage(page, 'visitor-payment-success');
  await page.getByRole('link', { name: 'Go to Home Now' }).click();

  await page.getByRole('link', { name: "Gamer's Guide" }).click();
  await expect(page.getByRole('heading', { name: "Official Gamer's Guide" })).toBeVisible();
  const film = page.locator('video');
  expect(await film.evaluate((video: HTMLVideoElement) => video.readyState)).toBe(0);
  await film.evaluate((video: HTMLVideoElement) => video.play());
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0);
  expect(await film.evaluate((video: HTMLVideoElement) => video.textTracks[0]?.cues?.length)).toBe(9);
  const loop = section(page, 'The game loop');
  const now = loop.getByRole('listitem').filter({ has: page.getByText('Now', { exact: true }) });
  await app.resetGame();
  await app.setTimers({ pregame: 3_000, live: 120, downtime: 3_600, extension: 30 });
  await app.asAdmin('game/start');
  await expect(loop.getByText(/^Game starting in: \d\d:\d\d$/)).toBeVisible();
  await expect(now).toContainText('Pregame');
  await checkPage(page, 'visitor-guide');
  await app.resetGame();
  await page.getByRole('link', { name: 'Return to Game' }).first().click();
  await expect(stageOf(page)).toBeVisible();

  expect((await page.goto('/no/such/page'))?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  await checkPage(page, 'visitor-not-found');

  const header = page.getByRole('banner');
  await expect(header.getByText('Omni Jackpot')).toBeVisible();
  await expect(header.getByText(/^Total Gamers \d+$/)).toBeVisible();
  await expect(header.getByText(/^Total Winnings \$[\d,]+\.\d\d$/)).toBeVisible();
  await header.getByRole('link', { name: 'Log in' }).click();
  await expect(page.getByRole('form', { name: 'Login' })).toBeInViewport();
});

/** Keeps a page from redirecting, by dropping timers of a second or more. */
async function preventRedirect(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { setTimeout: later } = window;
    const onlySoon = (run: () => void, delayMs = 0) => (delayMs < 1_000 ? later(run, delayMs) : 0);
    window.setTimeout = onlySoon as typeof window.setTimeout;
  });
}
