import { ApiError, type Command, commandSender, randomKey } from './api-client.js';

const buy = (quantity: number): Command => ({ method: 'POST', path: '/buy', body: { quantity } });
const unavailable = new ApiError(503, '', '');
const refused = new ApiError(400, '', '');
const lost = new TypeError('Failed to fetch');

beforeAll(() => jest.useFakeTimers());
afterAll(() => jest.useRealTimers());

/** A sender whose server sends `responses` in order and then repeats the last one; an error among them is thrown. */
function senderTo(...responses: unknown[]) {
  const startedAtMs = performance.now();
  const sent: { body: unknown; key: string }[] = [];
  const send = commandSender(async ({ body }, key) => {
    sent.push({ body, key });
    const response = responses.length > 1 ? responses.shift() : responses[0];
    if (response instanceof Error) throw response;
    return response;
  });
  /** Presses, and waits until all retries are over. */
  const press = async (command: Command, retried = false) => {
    const [outcome] = await Promise.all([Promise.allSettled([send(command, retried)]), jest.runAllTimersAsync()]);
    if (outcome[0].status === 'rejected') throw outcome[0].reason;
    return outcome[0].value;
  };
  /** The keys in order, named k1, k2 and so on. */
  const keys = () => {
    const different = [...new Set(sent.map(({ key }) => key))];
    return sent.map(({ key }) => `k${different.indexOf(key) + 1}`);
  };
  return { press, sent, keys, passedMs: () => performance.now() - startedAtMs };
}

it('retries a command marked as retried with the same key until the response is definite', async () => {
  const { press, keys } = senderTo(unavailable, lost, 'bought');
  await expect(press(buy(1), true)).resolves.toBe('bought');
  expect(keys()).toEqual(['k1', 'k1', 'k1']);
});

it('sends a refused command once, and a new press with a new key', async () => {
  const { press, keys } = senderTo(refused);
  await expect(press(buy(1))).rejects.toBe(refused);
  await expect(press(buy(1))).rejects.toBe(refused);
  expect(keys()).toEqual(['k1', 'k2']);
});

it('stops retrying after 30 seconds, and keeps the key for the next press', async () => {
  const { press, keys, passedMs } = senderTo(unavailable);
  await expect(press(buy(1), true)).rejects.toBe(unavailable);
  expect(passedMs()).toBeGreaterThan(25_000);
  expect(passedMs()).toBeLessThanOrEqual(30_000);
  await expect(press(buy(1), true)).rejects.toBe(unavailable);
  expect(new Set(keys()).size).toBe(1);
});

it('sends another command with an unknown outcome once, and reuses its key for the next press of the same content', async () => {
  const { press, keys } = senderTo(lost);
  for (const quantity of [1, 1, 2]) await expect(press(buy(quantity))).rejects.toBe(lost);
  expect(keys()).toEqual(['k1', 'k1', 'k2']);
});

it('sends a double click once, and both clicks get the response', async () => {
  const { press, sent } = senderTo('bought');
  await expect(Promise.all([press(buy(1)), press(buy(1))])).resolves.toEqual(['bought', 'bought']);
  expect(sent).toHaveLength(1);
});

it('resends an unsettled retried command instead of the next one on its path', async () => {
  const { press, sent, keys } = senderTo(unavailable);
  await press(buy(1), true).catch(() => {});
  await press(buy(5), true).catch(() => {});
  expect(new Set(keys())).toEqual(new Set(['k1']));
  expect(new Set(sent.map(({ body }) => JSON.stringify(body)))).toEqual(new Set(['{"quantity":1}']));
});

it('a random key is a valid Idempotency-Key and unique', () => {
  const keys = Array.from({ length: 1_000 }, randomKey);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keys).size).toBe(keys.length);
});
