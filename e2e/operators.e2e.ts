import { expect } from '@playwright/test';
import { adminOf, dialogOf, expectToast, openGamer, panelLinks, questionOf, rowsOf } from './admin-panel.js';
import { checkPage } from './check-page.js';
import { stageOf } from './game-page.js';
import { sharedApp, test } from './test-app.js';

/* Operators: the admin gives olga powers, and her admin panel has what they allow. */

const app = sharedApp();

test('gives powers, which the operator’s panel follows', async ({ browser }) => {
  const olga = await app.gamer('olga');
  await app.gamer('paul', { tokens: 10 });
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
    const pauls = await openGamer(page, 'paul');
    await expect(pauls.getByRole('tab')).toHaveText(['Money']);
    await expect(pauls.getByRole('button', { name: 'Delete gamer' })).toBeHidden();
    await expect(rowsOf(pauls)).toHaveCount(1);
    await checkPage(page, 'operator-gamer');
    await pauls.getByRole('button', { name: 'Adjust balances' }).click();
    const adjusting = dialogOf(page, 'Adjust the balances of paul');
    await adjusting.getByLabel('Purchase, ± dollars').fill('1.50');
    await adjusting.getByLabel('Reason, kept in the ledger').fill('A gift of olga');
    await checkPage(page, 'operator-adjust');
    await adjusting.getByRole('button', { name: 'Adjust balances' }).click();
    await expectToast(page, 'Balances Adjusted');
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
