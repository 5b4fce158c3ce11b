import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { withAliceAndBob } from '../../test/whole-application.js';
import { AccountsStore } from '../features/gamers/accounts.store.js';

const { application, admin, alice } = withAliceAndBob();

it('writes the answers to purchases before it builds the messages to sockets about them', async () => {
  await application.give(alice, 10_000);
  expect((await admin.visitor.post('/api/admin/game/start-live')).status).toBe(200);
  const socket = await application.socket(alice.visitor);
  const { app } = application.api;
  const answers: ServerResponse[] = [];
  app.getHttpServer().prependListener('request', (_request: unknown, answer: ServerResponse) => answers.push(answer));
  const accounts = app.get(AccountsStore);
  const tagsOf = accounts.tagsOf.bind(accounts);
  const unanswered: number[] = [];
  // Messages begin with the names in them; those about earlier events do not name the buyer.
  jest.spyOn(accounts, 'tagsOf').mockImplementation((gamerIds) => {
    if (gamerIds.includes(alice.id)) unanswered.push(answers.filter(({ writableEnded }) => !writableEnded).length);
    return tagsOf(gamerIds);
  });
  // After a quiet time messages go out at once.
  await sleep(200);
  const received = new Promise((resolve) => socket.once('purchase:added', resolve));
  const bought = await alice.visitor.post('/api/buy-from-balance', { quantity: 1, userId: alice.id });
  expect(bought.status).toBe(200);
  await received;
  expect(unanswered.length).toBeGreaterThan(0);
  expect(unanswered.every((count) => count === 0)).toBe(true);
});
