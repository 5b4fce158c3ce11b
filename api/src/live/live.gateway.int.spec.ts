import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOKEN_PRICE_CENTS } from '../../../contracts/limits.js';
import { until } from '../../../contracts/testing/until.js';
import { type LiveSocket, WholeApplication } from '../../test/whole-application.js';
import { AccountsStore } from '../features/gamers/accounts.store.js';
import { Ledger } from '../ledger/ledger.js';

const STAKE_CENTS = 100_000;
const application = WholeApplication.forTests();
const { visitor: admin } = application.adminForTests();
const alice = application.gamerForTests('alice', STAKE_CENTS);

beforeAll(async () => {
  expect((await admin.post('/api/admin/game/start-live')).status).toBe(200);
});

interface ReceivedMessage {
  name: string;
  version: number;
  previousVersion: number;
  purchaseBalanceCents: number;
}

function collectMessages(socket: LiveSocket): ReceivedMessage[] {
  const received: ReceivedMessage[] = [];
  socket.onAny((name: string, body: object) => received.push({ name, ...body } as ReceivedMessage));
  return received;
}

const buy = () => alice.visitor.post('/api/buy-from-balance', { quantity: 1, userId: alice.id });
const version = () => application.api.app.get(Ledger).committed.game.version;

it('sends a burst without a gap in the versions, and the buyer’s last balance', async () => {
  const everyone = collectMessages(await application.socket());
  const own = collectMessages(await application.socket(alice.visitor));
  let known = version();
  await Promise.all(Array.from({ length: 60 }, buy));
  const after = version();
  await until(() => [everyone, own].every((received) => received.some((message) => message.version === after)));
  for (const message of everyone.filter(({ version }) => version > known)) {
    if (message.name !== 'state:update') expect(message.previousVersion).toBe(known);
    known = message.version;
  }
  expect(known).toBe(after);
  const balances = own.filter(({ name }) => name === 'balanceUpdated');
  expect(balances.at(-1)?.purchaseBalanceCents).toBe(STAKE_CENTS - 60 * TOKEN_PRICE_CENTS);
  expect(everyone.some(({ name }) => name === 'balanceUpdated')).toBe(false);
});

it('tells the admin, and nobody else, that a withdrawal came', async () => {
  await application.give(alice, 0, 2_000);
  const sockets = [await application.socket(admin), await application.socket(alice.visitor)];
  const [received, own] = sockets.map(collectMessages) as [ReceivedMessage[], ReceivedMessage[]];
  const form = { cryptoType: 'BTC', walletAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT', amountCents: 1_000 };
  expect((await alice.visitor.post(`/api/gamer/${alice.id}/withdraw`, form)).status).toBe(200);
  const isAbout = (wanted: string) => (message: ReceivedMessage) => message.name === wanted;
  await until(() => received.some(isAbout('admin:money_updated')) && own.some(isAbout('winnings:updated')));
  expect(own.some(isAbout('admin:money_updated'))).toBe(false);
});

it('writes the responses to purchases before it builds the messages to sockets about them', async () => {
  const socket = await application.socket(alice.visitor);
  const { app } = application.api;
  const responses: ServerResponse[] = [];
  app.getHttpServer().prependListener('request', ({ url }: IncomingMessage, response: ServerResponse) => {
    // The socket's own polls wait for messages until it is upgraded.
    if (url === '/api/buy-from-balance') responses.push(response);
  });
  const accounts = app.get(AccountsStore);
  const tagsOf = accounts.tagsOf.bind(accounts);
  const unanswered: number[] = [];
  // Messages begin with the names in them; those about earlier events do not name the buyer.
  jest.spyOn(accounts, 'tagsOf').mockImplementation((gamerIds) => {
    if (gamerIds.includes(alice.id)) unanswered.push(responses.filter(({ writableEnded }) => !writableEnded).length);
    return tagsOf(gamerIds);
  });
  // Messages go out at once after a quiet time.
  await sleep(200);
  const received = new Promise((resolve) => socket.once('purchase:added', resolve));
  expect((await buy()).status).toBe(200);
  await received;
  expect(unanswered.length).toBeGreaterThan(0);
  expect(unanswered.every((count) => count === 0)).toBe(true);
});
