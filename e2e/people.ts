import { expect, type Locator, type Page } from '@playwright/test';

/* What people do on the page, by the names they see. */

export const stageOf = (page: Page): Locator => page.getByRole('region', { name: 'Game status' });

export async function register(page: Page, { gamerTag, password }: { gamerTag: string; password: string }) {
  const form = page.getByRole('form', { name: 'Register' });
  await form.getByLabel('GamerTag').fill(gamerTag);
  await form.getByLabel('Email').fill(`${gamerTag.toLowerCase()}@example.com`);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByLabel('Confirm Password').fill(password);
  await form.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByText('Account created successfully').first()).toBeVisible();
  await expect(page.getByText(`Signed in as${gamerTag}`)).toBeVisible();
}

export async function login(page: Page, { gamerTag, password }: { gamerTag: string; password: string }) {
  const form = page.getByRole('form', { name: 'Login' });
  await form.getByLabel('GamerTag').fill(gamerTag);
  await form.getByLabel('Password').fill(password);
  await form.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText(`Signed in as${gamerTag}`)).toBeVisible();
}

/** Buys from the balance through the dialog, and waits for the receipt. */
export async function buy(page: Page, quantity: number) {
  await stageOf(page).getByRole('button', { name: 'Buy Tokens from Balance' }).click();
  const dialog = page.getByRole('dialog', { name: 'Buy from Balance' });
  await dialog.getByLabel('How many tokens').fill(String(quantity));
  await dialog.getByRole('button', { name: /^Buy \d/ }).click();
  await expect(page.getByText(`Purchased ${quantity} Omni Token(s) successfully`).first()).toBeVisible();
  await expect(dialog).toBeHidden();
}

export interface Timers {
  pregame: number;
  live: number;
  downtime: number;
  extension: number;
}

export async function setTimers(admin: Page, { pregame, live, downtime, extension }: Timers) {
  const form = admin.getByRole('form', { name: 'Timer settings' });
  await form.getByLabel('Pregame').fill(String(pregame));
  await form.getByLabel('Live').fill(String(live));
  await form.getByLabel('Downtime').fill(String(downtime));
  await form.getByLabel('Time per token').fill(String(extension));
  await form.getByRole('button', { name: 'Save timers' }).click();
  await expect(admin.getByText('Timer Settings Updated').first()).toBeVisible();
}

/** Opens the admin's Edit Gamer dialog, does `edit` in it, and closes it. */
export async function editGamer(admin: Page, gamerTag: string, edit: (dialog: Locator) => Promise<void>) {
  await admin.getByRole('button', { name: `Edit ${gamerTag}` }).click();
  const dialog = admin.getByRole('dialog', { name: `Edit ${gamerTag}` });
  await edit(dialog);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
}

export async function creditPurchaseBalance(dialog: Locator, dollars: string, reason: string) {
  await dialog.getByLabel('Purchase, ± dollars').fill(dollars);
  await dialog.getByLabel('Reason, kept in the ledger').fill(reason);
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog.page().getByText('Balances Adjusted').first()).toBeVisible();
}

export async function makeDepositor(dialog: Locator) {
  await dialog.getByRole('switch', { name: /Depositor/ }).click();
  await expect(dialog.page().getByText('Depositor Status Updated').first()).toBeVisible();
}

/** What the countdown reads, in seconds. */
export async function secondsShown(page: Page): Promise<number> {
  const label = (await stageOf(page).getByRole('timer').getAttribute('aria-label')) ?? '';
  const parts = /(\d+(?::\d+)+)/.exec(label)?.[1]?.split(':').map(Number) ?? [];
  return parts.reduce((seconds, part) => seconds * 60 + part, 0);
}
