import { expect, test } from './application.js';

test('the built client opens on the built api, and hears from it', async ({ page, application }) => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('requestfailed', (request) => problems.push(`${request.url()}: ${request.failure()?.errorText}`));

  const live = page.waitForEvent('websocket', (socket) =>
    socket.url().startsWith(application.url.replace('http', 'ws')),
  );
  await page.goto('/');
  await expect(page).toHaveTitle(/Omni Jackpot/i);
  await expect(page.getByRole('main')).toBeVisible();
  await (await live).waitForEvent('framereceived');
  expect(problems).toEqual([]);
});
