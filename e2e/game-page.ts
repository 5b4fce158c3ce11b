import { expect, type Locator, type Page } from '@playwright/test';
import type { GameState } from '../contracts/http/game.js';

/* Steps that gamers and the admin take on the main page, found by the names they see. */

export const stageOf = (page: Page): Locator => page.getByRole('region', { name: 'Game status' });

export const toastOf = (page: Page): Locator => page.locator('.toast');
export const buyDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Buy from Balance' });
export const openBuyDialog = (page: Page): Promise<void> =>
  stageOf(page).getByRole('button', { name: 'Buy Tokens from Balance' }).click();

export interface Credentials {
  gamerTag: string;
  password: string;
}

/** Fills in and submits the form. */
export async function fillRegistration(form: Locator, { gamerTag, password }: Credentials): Promise<void> {
  await form.getByLabel('GamerTag').fill(gamerTag);
  await form.getByLabel('Email').fill(`${gamerTag.toLowerCase()}@example.com`);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByLabel('Confirm Password').fill(password);
  await form.getByRole('button', { name: 'Register' }).click();
}

/** Follows a link of the header's menu. */
export async function goByMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.locator('.page-menu-list').getByRole('link', { name }).click();
}

/** Opens the login form, one of the two tabs below the stage. */
export async function openLogin(page: Page): Promise<Locator> {
  await page.getByRole('tab', { name: 'Login' }).click();
  return page.getByRole('form', { name: 'Login' });
}

/** Fills in and submits the login form. */
export async function submitLogin(page: Page, { gamerTag, password }: Credentials): Promise<void> {
  const form = await openLogin(page);
  await form.getByLabel('GamerTag').fill(gamerTag);
  await form.getByLabel('Password').fill(password);
  await form.getByRole('button', { name: 'Login' }).click();
}

export async function login(page: Page, credentials: Credentials): Promise<void> {
  await submitLogin(page, credentials);
  await expect(page.getByText(`Signed in as${credentials.gamerTag}`)).toBeVisible();
}

/** Buys from the balance in the dialog, and waits for the receipt. */
export async function buy(page: Page, quantity: number) {
  await openBuyDialog(page);
  const dialog = buyDialog(page);
  await dialog.getByLabel('How many tokens').fill(String(quantity));
  await dialog.getByRole('button', { name: /^Buy \d/ }).click();
  await expect(page.getByText(`Purchased ${quantity} Omni Token(s) successfully`).first()).toBeVisible();
  await expect(dialog).toBeHidden();
}

/** Expects the page's countdown to show the server's remaining time, rounded up to whole seconds, within a quarter of a second. */
export async function expectServerCountdown(page: Page, state: () => Promise<GameState>): Promise<void> {
  await expect(async () => {
    const { endsAtEpochMs, serverTimeEpochMs } = await state();
    const leftSeconds = ((endsAtEpochMs ?? 0) - serverTimeEpochMs) / 1000;
    const shownSeconds = await countdownSeconds(page);
    expect(shownSeconds).toBeGreaterThanOrEqual(leftSeconds - 0.25);
    expect(shownSeconds).toBeLessThanOrEqual(leftSeconds + 1.25);
  }).toPass();
}

async function countdownSeconds(page: Page): Promise<number> {
  const label = (await stageOf(page).getByRole('timer').getAttribute('aria-label')) ?? '';
  const parts = /(\d+(?::\d+)+)/.exec(label)?.[1]?.split(':').map(Number) ?? [];
  return parts.reduce((seconds, part) => seconds * 60 + part, 0);
}
