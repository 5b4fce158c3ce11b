import { expect, type Page, test } from '@playwright/test';
import { base32nopad } from '@scure/base';
import { Client } from 'pg';
import { codeOf, stepOf } from '../api/src/features/staff/totp.js';
import type { AuthStatus } from '../contracts/http/gamers.js';
import { adminOf, dialogOf, expectToast, openGamer, openPanel, panelLinks, questionOf, rowsOf } from './admin-panel.js';
import { checkPage } from './check-page.js';
import { buyDialog, goByMenu, openBuyDialog, stageOf, submitLogin } from './game-page.js';
import { ownApp } from './test-app.js';

/*
 * The operator chose the strict profile: gamers choose a limit of their own first, and the operator's limits hold for all. Olga
 * gets powers; the admin sets up a second factor, logs in with it and confirms operations.
 */

// Each test goes on with the second factor of the one before.
test.describe.configure({ mode: 'serial' });

let page: Page;
let password: string;
let secret: Buffer;
let recoveryCodes: string[];

const app = ownApp(
  'staff',
  async (browser) => {
    password = app.application.adminPassword ?? '';
    await app.gamer('alice', { tokens: 10 });
    await app.asAdmin('game/start-live');
    page = await app.page(browser, await adminOf(app));
  },
  { PROTECTION_PROFILE: 'strict' },
);

const code = (stepsLater = 0): string => codeOf(secret, stepOf(Date.now()) + stepsLater);

/** Lets ten minutes pass since the admin's last login or step-up. */
async function letTheProofExpire(): Promise<void> {
  const database = new Client({ connectionString: app.application.databaseUrl });
  await database.connect();
  await database.query(`UPDATE auth.sessions SET proved_at = now() - interval '11 min' WHERE ends_at IS NOT NULL`);
  await database.end();
}

test('asks for a limit before a purchase, and shows the operator’s limits', async ({ browser }) => {
  const page = await app.page(browser, await app.gamer('stric_ta', { tokens: 400 }));
  await openBuyDialog(page);
  const dialog = buyDialog(page);
  await expect(dialog.getByText('Choose a limit first')).toBeVisible();
  await dialog.getByRole('button', { name: 'Buy 1 token' }).click();
  await expect(page.locator('.toast').last()).toContainText('Please set a limit of your own first');
  await dialog.getByRole('link', { name: 'My Limits' }).click();

  await expect(page.getByText('The operator asks every gamer to have a limit of their own')).toBeVisible();
  const form = page.getByRole('form', { name: 'My limits' });
  await form.getByRole('group', { name: 'Deposits' }).getByLabel('A day').fill('50');
  await form.getByRole('button', { name: 'Set my limits' }).click();
  await page.getByRole('button', { name: 'Set these limits' }).click();
  const inForce = page.getByRole('list', { name: 'Limits in force' });
  await expect(inForce).toContainText('Your deposit limit is $50.00 a day.');
  await expect(inForce).toContainText('The operator’s loss limit is $100.00 a day. $100.00 of it is left');
  await expect(page.getByText('The operator asks every gamer')).toHaveCount(0);

  await page.getByRole('link', { name: 'Return to Game' }).click();
  await openBuyDialog(page);
  await dialog.getByLabel('How many tokens').fill('334');
  await expect(dialog.getByText('Beyond the operator’s limit')).toBeVisible();
  await dialog.getByLabel('How many tokens').fill('1');
  await dialog.getByRole('button', { name: 'Buy 1 token' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Purchase Balance').first()).toBeVisible();
});

test('gives powers, which the operator’s panel follows', async ({ browser }) => {
  const olga = await app.gamer('olga');
  const admins = await app.page(browser, await adminOf(app));
  const olgas = await openGamer(admins, 'olga');

  await test.step('an operator needs a power', async () => {
    await olgas.getByRole('button', { name: 'Make operator' }).click();
    const question = questionOf(admins, 'Make olga an operator?');
    await expect(question).toContainText('An operator neither buys, deposits, earns nor withdraws while they are one.');
    await expect(question.getByRole('button', { name: 'Make operator' })).toBeDisabled();
    await question.getByRole('switch', { name: /^Money/ }).press('Space');
    await question.getByRole('switch', { name: /^Game/ }).press('Space');
    await checkPage(admins, 'admin-operator');
    await question.getByRole('button', { name: 'Make operator' }).click();
    await expectToast(admins, 'Role Updated', 'olga is an operator now.');
  });

  await test.step('she sees the panels of her powers', async () => {
    const page = await app.page(browser, olga);
    await expect(panelLinks(page)).toHaveText([
      'Game Control',
      'Waiting for you',
      /^Deposits/,
      /^Withdrawals/,
      'Gamers Mini-Manager',
    ]);
    await expect(stageOf(page).getByText('Auditors and operators cannot buy, deposit or withdraw.')).toBeVisible();
    await expect(page.getByRole('button', { name: /Deposit Crypto|Withdraw Winnings/ })).toHaveCount(0);
    await expect(page.getByLabel('This session')).toHaveCount(0);
    await checkPage(page, 'operator-panel');
  });

  await test.step('powers can be changed later', async () => {
    await olgas.getByRole('button', { name: 'Change powers' }).click();
    const question = questionOf(admins, 'Change the powers of olga?');
    await question.getByRole('switch', { name: /^Game/ }).press('Space');
    await question.getByRole('button', { name: 'Save powers' }).click();
    await expectToast(admins, 'Role Updated');
    await expect(olgas.getByText('Operator: Money, olga@example.com')).toBeVisible();
  });
});

test('sets up an authenticator, and shows the recovery codes once', async () => {
  await goByMenu(page, 'My Account');
  await page.getByRole('link', { name: 'Second Factor' }).click();
  await expect(page.getByText('You have no second factor')).toBeVisible();
  const begin = page.getByRole('form', { name: 'Set up an authenticator' });
  await begin.getByLabel('Your password').fill(password);
  await begin.getByRole('button', { name: 'Set up an authenticator' }).click();
  await expect(page.getByRole('img', { name: 'QR code with the key of your second factor' })).toBeVisible();
  const [key = ''] = await page.locator('.enrol .code').allTextContents();
  secret = Buffer.from(base32nopad.decode(key.replaceAll(' ', '')));
  await checkPage(page, 'second-factor-scan');
  const confirm = page.getByRole('form', { name: 'Confirm the authenticator' });
  await confirm.getByLabel('Code').fill(code());
  await confirm.getByRole('button', { name: 'Confirm' }).click();
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await expect(list.getByRole('listitem')).toHaveCount(10);
  recoveryCodes = await list.getByRole('listitem').allTextContents();
  await checkPage(page, 'second-factor-codes');
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText('A new authenticator comes with ten new codes.')).toBeVisible();
});

test('the login then asks for the code', async ({ browser }) => {
  const other = await app.page(browser);
  await submitLogin(other, { gamerTag: 'admin', password });
  const dialog = dialogOf(other, 'Second factor');
  await expect(dialog).toBeVisible();
  await checkPage(other, 'login-code');
  await dialog.getByLabel('Code').fill('000000');
  await dialog.getByRole('button', { name: 'Login' }).click();
  await expect(dialog.getByText('This code is wrong, or was used already')).toBeVisible();
  await expect(other.getByText('Signed in asadmin')).toBeHidden();
  await dialog.getByLabel('Code').fill(code(1));
  await dialog.getByLabel('Code').press('Enter');
  await expectToast(other, 'Success!', 'Logged in successfully');
  await expect(other.getByText('Signed in asadmin')).toBeVisible();
  await other.context().close();
});

test('a command that needs a step-up asks for it, over other dialogs too, and is then carried out', async () => {
  await goByMenu(page, 'Admin Panel');
  const alice = await openGamer(page, 'alice');
  await letTheProofExpire();
  await alice.getByRole('button', { name: 'Set a new password' }).click();
  const question = questionOf(page, 'Set a new password for alice?');
  await question.getByLabel('New password').fill('another pass phrase');
  await question.getByRole('button', { name: 'Set password' }).click();
  const stepUp = dialogOf(page, 'Confirm that it is you');
  await expect(stepUp.getByLabel('Code')).toBeFocused();
  await expect(stepUp).toContainText('You want to update the password.');
  await checkPage(page, 'step-up');
  await page.keyboard.press('Escape');
  await expect(stepUp).toBeHidden();
  await expectToast(page, 'Update Failed', 'Please confirm first that it is you');
  await question.getByRole('button', { name: 'Set password' }).click();
  await stepUp.getByLabel('Code').fill(recoveryCodes[0] ?? '');
  await stepUp.getByLabel('Code').press('Enter');
  await expectToast(page, 'Password Updated');
  await expect(stepUp).toBeHidden();
  await expect(question).toBeHidden();
});

test('lists security events, searched', async () => {
  await page.reload();
  const panel = await openPanel(page, 'Security events');
  await panel.scrollIntoViewIfNeeded();
  await expect(rowsOf(panel).first()).toContainText('alice');
  await expect(rowsOf(panel).first()).toContainText('Got a password from the admin');
  await expect(rowsOf(panel).first()).toContainText('127.0.0.1');
  await expect(rowsOf(panel).filter({ hasText: 'Right password, wrong code' })).toHaveCount(1);
  await checkPage(page, 'admin-security-events');
  await panel.getByLabel('Search GamerTag or address').fill('alice');
  await expect(rowsOf(panel).filter({ hasText: 'Registered' })).toHaveCount(1);
});

test('on an https site staff without a second factor can only set one up', async ({ browser }) => {
  const other = await app.blankPage(browser, app.admin);
  await other.route('/api/auth/status', (route) => {
    const status = {
      id: 'a',
      gamerTag: 'admin',
      email: 'a@example.com',
      refCode: 'A',
      role: 'admin',
      powers: [],
    } as const;
    return route.fulfill({ json: { isAuthenticated: true, ...status, needsSecondFactor: true } satisfies AuthStatus });
  });
  await other.goto('/audit');
  const notice = other.getByRole('region', { name: 'Second factor' });
  await expect(notice.getByText('Set up your second factor first')).toBeVisible();
  await other.goto('/');
  await expect(notice.getByText('Staff need one on this site.')).toBeVisible();
  await notice.getByRole('link', { name: 'Second factor' }).click();
  await expect(other.getByRole('heading', { name: 'Second Factor' })).toBeVisible();
});
