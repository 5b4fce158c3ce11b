import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { HttpGamer } from './http-gamer.js';
import type { TestApp } from './test-app.js';

/* The admin panel, found by the names the admin sees. */

/** Logs the admin in, with a new session. */
export const adminOf = ({ application }: TestApp): Promise<HttpGamer> =>
  HttpGamer.logIn(application.url, 'admin', application.adminPassword);

/** A panel, by its heading. */
export const panelOf = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** Opens a panel by its link. One panel is shown at a time. */
export async function openPanel(page: Page, name: string): Promise<Locator> {
  await panelLinks(page).filter({ hasText: name }).click();
  return panelOf(page, name);
}

/** Opens a gamer's page by their name in the Gamers Mini-Manager. */
export async function openGamer(page: Page, gamerTag: string): Promise<Locator> {
  const gamers = await openPanel(page, 'Gamers Mini-Manager');
  await gamers.getByLabel('GamerTag or email').fill(gamerTag);
  await gamers.getByRole('link', { name: gamerTag, exact: true }).click();
  return panelOf(page, 'Gamer');
}

export const panelLinks = (page: Page): Locator =>
  page.getByRole('navigation', { name: 'Back office' }).getByRole('link');

export const dialogOf = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });
/** A dialog that asks for confirmation. */
export const questionOf = (page: Page, name: string | RegExp): Locator => page.getByRole('alertdialog', { name });

/** Expects the toast with this title; one toast is shown at a time. */
export async function expectToast(page: Page, title: string, text?: string | RegExp): Promise<void> {
  const toast = page.locator('.toast').filter({ has: page.getByText(title, { exact: true }) });
  await expect(toast).toBeVisible();
  if (text !== undefined) await expect(toast.locator('.toast-text')).toHaveText(text);
}

export const tab = (panel: Locator, name: string): Locator => panel.getByRole('tab', { name: new RegExp(`^${name}`) });

/** The rows of a panel's table, without the heads. */
export const rowsOf = (panel: Locator): Locator => panel.getByRole('table').locator('tbody').getByRole('row');

/** Presses a button that saves a CSV file, and reads it. */
export async function savedCsv(button: Locator): Promise<{ name: string; records: string[][] }> {
  const download = button.page().waitForEvent('download');
  await button.click();
  const file = await download;
  const text = await readFile(await file.path(), 'utf8');
  expect(text.startsWith('\ufeff')).toBe(true);
  expect(text.endsWith('\r\n')).toBe(true);
  const records = text
    .slice(1, -2)
    .split('\r\n')
    .map((line) => line.split(','));
  return { name: file.suggestedFilename(), records };
}
