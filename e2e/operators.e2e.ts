import { expect } from '@playwright/test';
import { adminOf, dialogOf, expectToast, openPanel, panelLinks, questionOf } from './admin-panel.js';
import { checkPage } from './check-page.js';
import { stageOf } from './game-page.js';
import { sharedApp, test } from './test-app.js';

/* Operators: the admin gives olga powers, and her admin panel has what they allow. */

const app = sharedApp();

test('gives powers, which the operator’s panel follows', async ({ browser }) => {
  const olga = await app.gamer('olga');
  await app.gamer('paul', { tokens: 10 });
  const admins = await app.page(browser, await adminOf(app));
  const gamers = await openPanel(admins, 'Gamers Mini-Manager');
  await gamers.getByLabel('GamerTag or email').fill('olga@');
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
    await expect(panelLinks(page)).toHaveText([
      'Game Control',
      'Waiting for you',
      /^Deposits/,
      /^Withdrawals/,
      'Gamers Mini-Manager',
    ]);
    await expect(stageOf(page).getByText('Auditors and operators cannot buy, deposit or withdraw.')).toBeVisible();
    await expect(page.getByRole('button', { name: /Deposit Crypto|Withdraw Winnings/ })).toHaveCount(0);
    await checkPage(page, 'operator-panel');
    const listed = await openPanel(page, 'Gamers Mini-Manager');
    await listed.getByLabel('GamerTag or email').fill('paul@');
    await listed.getByRole('button', { name: 'Edit paul' }).click();
    const editing = dialogOf(page, 'Edit paul');
    await expect(editing.getByLabel('Role')).toBeHidden();
    await expect(editing.getByRole('button', { name: 'Delete gamer' })).toBeHidden();
    await editing.getByLabel('Purchase, ± dollars').fill('1.50');
    await editing.getByLabel('Reason, kept in the ledger').fill('A gift of olga');
    await checkPage(page, 'operator-edit-gamer');
    await editing.getByRole('button', { name: 'Adjust balances' }).click();
    await expectToast(page, 'Balances Adjusted');
  });

  await test.step('powers can be changed later', async () => {
    await dialog.getByRole('button', { name: 'Change the powers of olga' }).click();
    const question = questionOf(admins, 'Change the powers of olga?');
    await question.getByRole('switch', { name: /^Game/ }).press('Space');
    await question.getByRole('button', { name: 'Save powers' }).click();
    await expectToast(admins, 'Role Updated');
    await expect(dialog.getByRole('button', { name: 'Change the powers of olga' })).toHaveText('Powers: Money');
    await dialog.getByRole('button', { name: 'Close' }).click();
  });
});
