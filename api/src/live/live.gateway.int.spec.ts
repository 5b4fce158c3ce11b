import { TOKEN_PRICE_CENTS } from '../../../contracts/limits.js';
import { Ledger } from '../ledger/ledger.js';
import {
  type LiveSocket,
  type Person,
  startWithAliceAndBob,
  type WholeApplication,
} from '../testing/whole-application.js';

jest.setTimeout(120_000);

let application: WholeApplication;
let alice: Person;
const STAKE_CENTS = 100_000;

beforeAll(async () => {
  const started = await startWithAliceAndBob();
  ({ application, alice } = started);
  const money = { purchaseBalanceCents: STAKE_CENTS, totalWinningsCents: 0, reason: 'play money' };
  await started.admin.visitor.post(`/api/admin/mini/gamers/${alice.id}/adjust`, money);
  expect((await started.admin.visitor.post('/api/admin/game/start-live')).status).toBe(200);
});

afterAll(() => application?.close());

interface Heard {
  name: string;
  version: number;
  previousVersion: number;
  purchaseBalanceCents: number;
}

function hearing(socket: LiveSocket): Heard[] {
  const heard: Heard[] = [];
  socket.onAny((name: string, body: object) => heard.push({ name, ...body } as Heard));
  return heard;
}

const buy = () => alice.visitor.post('/api/buy-from-balance', { quantity: 1, userId: alice.id });
const version = () => application.api.app.get(Ledger).committed.game.version;

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}

it('tells every purchase of a few, first as added and then as an extension, without a gap in the versions', async () => {
  const heard = hearing(await application.socket());
  const before = version();
  for (let count = 0; count < 3; count += 1) expect((await buy()).status).toBe(200);
  const after = version();
  await until(() => heard.some((message) => message.version === after));
  const board = heard.filter(({ version }) => version > before);
  expect(board.map(({ name }) => name)).toEqual([1, 2, 3].flatMap(() => ['purchase:added', 'game:time-extended']));
  expect(board.map(({ previousVersion }) => previousVersion)).toEqual([
    before,
    ...board.slice(0, -1).map((m) => m.version),
  ]);
});

it('tells a burst so that no version is missing, and the buyer’s last balance', async () => {
  const everyone = hearing(await application.socket());
  const own = hearing(await application.socket(alice.visitor));
  let known = version();
  await Promise.all(Array.from({ length: 60 }, buy));
  const after = version();
  await until(() => [everyone, own].every((heard) => heard.some((message) => message.version === after)));
  for (const message of everyone.filter(({ version }) => version > known)) {
    if (message.name !== 'state:update') expect(message.previousVersion).toBe(known);
    known = message.version;
  }
  expect(known).toBe(after);
  const balances = own.filter(({ name }) => name === 'balanceUpdated');
  expect(balances.at(-1)?.purchaseBalanceCents).toBe(STAKE_CENTS - 63 * TOKEN_PRICE_CENTS);
  expect(everyone.some(({ name }) => name === 'balanceUpdated')).toBe(false);
});
