import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { GamerByHttp } from './gamers-by-http.js';
import type { Scene } from './scene.js';

/* What an admin sees and does in the back office, by the names they read. */

/** A session of the admin's own. */
export const adminOf = ({ application }: Scene): Promise<GamerByHttp> =>
  GamerByHttp.logIn(application.url, 'admin', application.adminPassword ?? '');

/** One of its rooms, by its heading. */
export const roomOf = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

export const dialogOf = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });
/** A dialog that asks before something is done for good. */
export const questionOf = (page: Page, name: string | RegExp): Locator => page.getByRole('alertdialog', { name });

/** The toast that says so: there is one at a time. */
export async function expectToast(page: Page, title: string, text?: string | RegExp): Promise<void> {
  const toast = page.locator('.toast').filter({ has: page.getByText(title, { exact: true }) });
  await expect(toast).toBeVisible();
  if (text !== undefined) await expect(toast.locator('.toast-text')).toHaveText(text);
}

export const tab = (room: Locator, name: string): Locator => room.getByRole('tab', { name: new RegExp(`^${name}`) });

/** The rows of the table that is shown in a room, heads left out. */
export const rowsOf = (room: Locator): Locator => room.getByRole('table').locator('tbody').getByRole('row');

/** Presses Export CSV in a room and reads the file: a record a line, as fields. */
export const exported = (page: Page, list: string): Promise<{ name: string; records: string[][] }> =>
  savedCsv(page.getByRole('button', { name: `Export CSV: ${list}`, exact: true }));

/** Presses a button that saves a file of comma-separated values, and reads it. */
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

/** Which element has the focus, as a screen reader names it. */
export const focused = (page: Page): Locator => page.locator(':focus');
