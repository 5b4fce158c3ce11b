import { expect, type Page, test } from '@playwright/test';
import { adminOf, dialogOf, expectToast, panelOf, questionOf, rowsOf } from './admin-panel.js';
import { checkPage } from './check-page.js';
import { stageOf } from './game-page.js';
import type { HttpGamer } from './http-gamer.js';
import { TestApp } from './test-app.js';

/* Operators: the admin gives olga powers, and her admin panel has what they allow. */

let app: TestApp;
let olga: HttpGamer;
let admins: Page;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000);
  app = await TestApp.open('operators');
  olga = await app.gamer('olga');
  await app.gamer('paul', { tokens: 10 });
  admins = await app.page(browser, await adminOf(app));
});

test.afterAll(() => app?.close());

test('gives powers, which the operator’s panel follows', async ({ browser }) => {
  const gamers = panelOf(admins, 'Gamers Mini-Manager');
  await gamers.getByRole('button', { name: 'Edit olga' }).click();
  const dialog = dialogOf(admins, 'Edit olga');

  await test.step('an operator needs a power', async () => {
    await dialog.getByLabel('Role').selectOption('Operator');
    const question = questionOf(admins, 'Make olga an operator?');
    await expect(question).toContainText('An operator neither buys, deposits, earns nor withdraws while they are one.');
    await expect(question.getByRole('button', { name: 'Make operator' })).toBeDisabled();
    await question.getByRole('switch', { name: /^Money/ }).press('Space');
    await question.getByRole('switch', { name: /^Game/ }).press('Space');
    await checkPage(admins, 'admin-operator');
    await question.getByRole('button', { name: 'Make operator' }).click();
    await expectToast(admins, 'Role Updated', 'olga is an operator now.');
  });

  await test.step('she sees the panels of her powers, and adjusts in her own name', async () => {
    const page = await app.page(browser, olga);
    for (const name of ['Waiting for you', 'Deposits', 'Withdrawals', 'Game Control', 'Gamers Mini-Manager'])
      await expect(panelOf(page, name)).toBeVisible();
    for (const name of ['Admin Profits', 'Support Tickets', 'Community posts', 'Activity log', 'Sign-ins'])
      await expect(panelOf(page, name)).toBeHidden();
    await expect(stageOf(page).getByText('Auditors and operators cannot buy, deposit or withdraw.')).toBeVisible();
    await expect(page.getByRole('button', { name: /Deposit Crypto|Withdraw Winnings/ })).toHaveCount(0);
    await checkPage(page, 'operator-panel');
    await panelOf(page, 'Gamers Mini-Manager').getByRole('button', { name: 'Edit paul' }).click();
    const editing = dialogOf(page, 'Edit paul');
    await expect(editing.getByLabel('Role')).toBeHidden();
    await expect(editing.getByRole('button', { name: 'Delete gamer' })).toBeHidden();
    await editing.getByLabel('Purchase, ± dollars').fill('1.50');
    await editing.getByLabel('Reason, kept in the ledger').fill('A gift of olga');
    await checkPage(page, 'operator-edit-gamer');
    await editing.getByRole('button', { name: 'Adjust balances' }).click();
    await expectToast(page, 'Balances Adjusted');
    await editing.getByLabel('Purchase, ± dollars').fill('600');
    await editing.getByLabel('Reason, kept in the ledger').fill('A large gift');
    await editing.getByRole('button', { name: 'Adjust balances' }).click();
    await expectToast(page, 'Second Person Needed', 'A second person must confirm this within a day');
    await editing.getByRole('button', { name: 'Close' }).click();
    await expect(panelOf(page, 'Second person').getByText('Another person confirms it')).toBeVisible();
    await expect(panelOf(page, 'Waiting for you').getByText(/waits for you\.$/)).toBeVisible();
    await page.context().close();
  });

  await test.step('powers can be changed later', async () => {
    await dialog.getByRole('button', { name: 'Change the powers of olga' }).click();
    const question = questionOf(admins, 'Change the powers of olga?');
    await question.getByRole('switch', { name: /^Game/ }).press('Space');
    await question.getByRole('button', { name: 'Save powers' }).click();
    await expectToast(admins, 'Role Updated');
    await expect(dialog.getByRole('button', { name: 'Change the powers of olga' })).toHaveText('Powers: Money');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(panelOf(admins, 'Activity log').getByRole('row', { name: /olga.*A gift of olga/ })).toBeVisible();
  });

  await test.step('the admin confirms what she requested above the limit', async () => {
    await admins.reload();
    const panel = panelOf(admins, 'Second person');
    await expect(panel.getByText('Purchase +$600.00: A large gift')).toBeVisible();
    await checkPage(admins, 'admin-second-person');
    const waiting = panelOf(admins, 'Waiting for you');
    await expect(rowsOf(waiting).filter({ hasText: 'Purchase +$600.00, requested by olga' })).toHaveCount(1);
    await expect(admins.getByRole('navigation', { name: 'Back office' })).toContainText('Second person1 waits');
    await panel.getByRole('button', { name: /^Confirm for paul/ }).click();
    const question = questionOf(admins, 'Adjust the balances of paul?');
    await expect(question.getByRole('button', { name: 'Leave it waiting' })).toBeFocused();
    for (const text of ['ChangePurchase +$600.00', 'Requested byolga', 'Lapses', 'Reason: A large gift'])
      await expect(question).toContainText(text);
    await checkPage(admins, 'admin-second-person-confirm');
    await question.getByRole('button', { name: 'Adjust balances' }).click();
    await expectToast(admins, 'Balances Adjusted', 'paul: two persons did it.');
    await expect(panel.getByText('No money waits for a second person.')).toBeVisible();
    await expect(waiting.getByText('No withdrawal, deposit, ticket or request waits for you.')).toBeVisible();
  });

  await test.step('the admin sets the limits', async () => {
    const form = panelOf(admins, 'Second person').getByRole('form', { name: 'Limits of one person' });
    await form.getByLabel('Second person above', { exact: true }).fill('-5');
    await form.getByRole('button', { name: 'Save limits' }).click();
    await expect(
      form.getByText('A limit is an amount from $0.00 to $1,000,000.00, or empty for no limit'),
    ).toBeVisible();
    await form.getByLabel('Second person above', { exact: true }).fill('');
    await form.getByRole('button', { name: 'Save limits' }).click();
    await expectToast(
      admins,
      'Limits Saved',
      'Anything beyond $2,000.00 that one person moves alone in a day needs a second person.',
    );
  });
});
