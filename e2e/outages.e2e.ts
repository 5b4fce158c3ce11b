import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { SYSTEM } from '../contracts/events/metadata.js';
import { builtFile } from '../embedded/launcher/built-files.js';
import { adminOf, expectToast, openPanel, panelOf, questionOf, rowsOf } from './admin-panel.js';
import { checkPage } from './check-page.js';
import { buyDialog, expectServerCountdown, openBuyDialog, stageOf, toastOf } from './game-page.js';
import { payerAt } from './payments.js';
import { CAMPAIGN, ownApp } from './test-app.js';

/* The application is killed in a live round, and started again when its countdown is over; later its log loses events. */

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';

const app = ownApp('outages');

test('resumes a round after a crash and an outage beyond its end, and lost nothing', CAMPAIGN, async ({ browser }) => {
  const ada = await app.gamer('ada_west', { tokens: 10 });
  const page = await app.page(browser, ada);
  const stage = stageOf(page);
  await app.startShortRound(8);
  await ada.buy(app.url, 2);
  await expect(stage.locator('.lastbuyer')).toContainText('You');
  const { endsAtEpochMs } = await app.game();

  await app.application.kill();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Connection lost - Attempting to reconnect...' }),
  ).toBeVisible();
  await expect(page.getByText(/^Attempt \d+ of 10\.$/)).toBeVisible();
  for (const text of [
    'LIVE GAME, LAST SEEN',
    'TIME REMAINING, ABOUT',
    /^Last known: /,
    'You can buy again once the connection is back. Nothing was lost or charged twice.',
  ])
    await expect(stage.getByText(text)).toBeVisible();
  await checkPage(page, 'sad-frozen');

  await sleep((endsAtEpochMs ?? 0) - Date.now());
  await app.startAgain();
  await expect(page.getByText('Connection lost - Attempting to reconnect...')).toBeHidden();
  await expect(stage.getByText('The round continues after an outage.')).toBeVisible();
  await expect(stage.getByText(/An outage never decides a winner\./)).toBeVisible();
  await expect(stage.locator('.lastbuyer')).toContainText('You');
  await expectServerCountdown(page, () => app.game());
  await openBuyDialog(page);
  await buyDialog(page)
    .getByRole('button', { name: /^Buy 1 token/ })
    .click();
  await expect(toastOf(page)).toContainText('Purchased 1 Omni Token(s) successfully');
  await expect(stage.getByText('$2.10, enough for 7 tokens')).toBeVisible();
  const env = { ...process.env, DATA_DIR: app.dataDir };
  const verify = [builtFile('audit/main.js'), 'verify', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, verify, { env });
  expect(JSON.parse(stdout)).toMatchObject({ findings: [] });
});

/** The log ends here, and an operator says that it was longer. */
async function loseHistory(): Promise<void> {
  const { EventLog } = await import(builtFile('event-log/event-log.js'));
  const { Ledger } = await import(builtFile('api/src/ledger/ledger.js'));
  const { LedgerReplica } = await import(builtFile('api/src/ledger/ledger-replica.js'));
  const log = new EventLog(app.application.eventStoreUrl);
  const ledger = new Ledger(new LedgerReplica(), log, { now: Date.now, newEventId: randomUUID, newId: randomUUID });
  await ledger.start();
  const signed = { signedOrigin: 'play.example/ledger', signedSize: 361, signedRoot: 'ab'.repeat(32) };
  const command = { type: 'AcceptLoss', signed, acceptedBy: 'Ada Lovelace', reason: 'The disk failed' };
  await ledger.execute(command, { actor: SYSTEM, commandId: randomUUID() });
  await ledger.stop();
  await log.close();
}

test('settles what the gateway paid before a loss, and then withdrawals go on', CAMPAIGN, async ({ browser }) => {
  await app.resetGame();
  const gamer = await app.gamer('paid_before', { winningsCents: 5_000 });
  const request = { cryptoType: 'BTC', walletAddress: BITCOIN, amountCents: 2_000 };
  expect((await gamer.post(`${app.url}/api/gamer/${gamer.id}/withdraw`, request)).status).toBe(200);
  const payer = payerAt(app);
  await payer.payOut({ address: BITCOIN, hash: 'cd'.repeat(32) });
  await payer.payOut({ address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', amount: '0.5' });
  const page = await app.blankPage(browser, await adminOf(app));
  const HELD = '**/api/admin/losses/payouts';
  await page.route(HELD, async (route) => {
    const response = await route.fetch();
    const problem = { problem: 'Access denied', mayRelease: true, differences: [] };
    await route.fulfill({ response, json: { ...(await response.json()), ...problem } });
  });
  await loseHistory();
  await page.goto('/admin/losses');
  const panel = panelOf(page, 'Payouts wait');
  const reloadUntil = (check: () => Promise<void>) =>
    expect(async () => {
      await page.reload();
      await check();
    }).toPass();

  await reloadUntil(() => expect(panel).toContainText('Access denied', { timeout: 3_000 }));
  await expect(await openPanel(page, 'Withdrawals')).toContainText('make sure that it was not paid by hand');
  await openPanel(page, 'Payouts wait');
  await panel.getByRole('button', { name: 'Release payouts' }).click();
  const release = questionOf(page, 'Release payouts without the gateway’s answer?');
  await expect(release.getByRole('button', { name: 'Release payouts' })).toBeDisabled();
  await checkPage(page, 'admin-release-payouts');
  await release.getByRole('button', { name: 'Back' }).click();

  await page.unroute(HELD);
  await reloadUntil(() => expect(rowsOf(panel)).toHaveCount(2, { timeout: 3_000 }));
  await checkPage(page, 'admin-held-payouts');
  await panel.getByRole('button', { name: 'Mark paid_before’s $20.00 in BTC as paid' }).click();
  const settle = questionOf(page, 'Mark $20.00 as paid?');
  await expect(settle.getByLabel('Transaction id')).toHaveValue('cd'.repeat(32));
  await settle.getByRole('button', { name: 'Mark $20.00 as paid' }).click();
  await expectToast(page, 'Withdrawal Updated', '$20.00: completed.');
  await expect(rowsOf(panel)).toHaveCount(1);
  await panel.getByRole('button', { name: /^Settle payout/ }).click();
  const question = questionOf(page, 'Settle the payout of 0.5 BTC?');
  await question.getByLabel('What you found out').fill('The accountant’s fee');
  await question.getByRole('button', { name: 'Settle' }).click();
  await expectToast(page, 'Updated', /^Payout \d+ is settled$/);
  await reloadUntil(() => expect(panel).toContainText('No payout waits', { timeout: 3_000 }));
});
