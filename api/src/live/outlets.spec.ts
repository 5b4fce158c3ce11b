import { createServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, Socket as TcpSocket } from 'node:net';
import { Server, type Socket as ServerSocket } from 'socket.io';
import { io, type Socket } from 'socket.io-client';
import { until } from '../../../contracts/testing/until.js';
import type { LiveMessage } from './live-messages.js';
import { MAX_UNSENT_BYTES, Outlets } from './outlets.js';

let http: HttpServer;
let server: Server;
let outlets: Outlets;
let clients: Socket[];

beforeEach(async () => {
  http = createServer();
  server = new Server(http);
  outlets = new Outlets(server);
  server.on('connection', (socket) => {
    outlets.add(socket);
    void socket.join(socket.handshake.auth.rooms as string[]);
    socket.emit('welcome');
  });
  await new Promise<void>((resolve) => http.listen(0, resolve));
  clients = [];
});

afterEach(async () => {
  jest.restoreAllMocks();
  for (const client of clients) {
    // A closing handshake needs a client that reads.
    if (client.connected && client.io.engine.transport.name === 'websocket') tcpOf(client).destroy();
    client.disconnect();
  }
  await server.close();
});

async function connect(transports: string[], rooms: string[] = []) {
  const { port } = http.address() as AddressInfo;
  const client = io(`http://127.0.0.1:${port}`, { transports, auth: { rooms }, reconnection: false, forceNew: true });
  clients.push(client);
  const received: string[] = [];
  await new Promise((resolve) => client.once('welcome', resolve));
  client.onAny((name: string, { position }: { position: string }) => received.push(`${name} ${position.slice(0, 9)}`));
  return { client, received };
}

const tcpOf = (client: Socket): TcpSocket => {
  const { ws } = client.io.engine.transport as unknown as { ws: { _socket: TcpSocket } };
  return ws._socket;
};

const state = (position: string) => (): LiveMessage =>
  ({ to: null, name: 'state:update', body: { position, version: 1 } }) as unknown as LiveMessage;

const purchase = (position: string) =>
  ({ to: null, name: 'purchase:added', body: { position, version: 1 } }) as unknown as LiveMessage;

const balance = (position: string, to: string | null): LiveMessage =>
  ({ to, name: 'balanceUpdated', body: { position, purchaseBalanceCents: 1 } }) as LiveMessage;

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Frames with lengths of one, two and eight bytes. */
const purchases = [1, 1_000, 30_000].map((length, index) => purchase(`${index + 1}${'€'.repeat(length)}`));
const names = ['1€', '2€€€€€€€€', '3€€€€€€€€'].map((start) => `purchase:added ${start}`);

it.each([['websocket'], ['polling']])('sends the messages of a tick in order, by %s', async (transport) => {
  const { received } = await connect([transport], ['gamer:a']);
  const { received: others } = await connect([transport], ['gamer:b']);
  await outlets.send([...purchases, balance('mine', 'gamer:a'), balance('nobody’s', 'gamer:c')], state('0'));
  await until(() => received.length === 4 && others.length === 3);
  await outlets.send([purchase('4'), balance('theirs', 'gamer:b')], state('0'));
  await until(() => received.length === 5 && others.length === 5);
  expect(received).toEqual([...names, 'balanceUpdated mine', 'purchase:added 4']);
  expect(others).toEqual([...names, 'purchase:added 4', 'balanceUpdated theirs']);
});

it('keeps the order while a client changes from polling to websocket, and loses nothing', async () => {
  const { client, received } = await connect(['polling', 'websocket']);
  const sent: string[] = [];
  while (client.io.engine.transport.name !== 'websocket' || sent.length < 100) {
    await outlets.send([purchase(`${sent.length}.1`), purchase(`${sent.length}.2`)], state('0'));
    sent.push(`purchase:added ${sent.length}.1`, `purchase:added ${sent.length}.2`);
    await turn();
  }
  await until(() => received.length >= sent.length);
  expect(received).toHaveLength(sent.length);
  expect(received.map((name) => name.replace(/\d+/, ''))).toEqual(sent.map((name) => name.replace(/\d+/, '')));
});

it('writes once to each websocket, whatever the number of messages', async () => {
  await connect(['websocket'], ['gamer:a']);
  const writes = jest.spyOn(TcpSocket.prototype, 'write');
  await outlets.send([...purchases, balance('5', 'gamer:a')], state('0'));
  expect(writes).toHaveBeenCalledTimes(1);
});

/** Stops reading, and sends purchases until nothing more is accepted for the client. */
async function fallBehind(client: Socket): Promise<void> {
  tcpOf(client).pause();
  while (!(await outlets.send([purchase('x'.repeat(30_000))], state('0')))) await turn();
}

const unsentBytes = (): number => {
  const [socket] = server.sockets.sockets.values();
  return (socket as ServerSocket).request.socket.writableLength;
};

it('bounds what waits for a client that does not read, and leaves other clients alone', async () => {
  const { client } = await connect(['websocket']);
  const { received: others } = await connect(['websocket']);
  await fallBehind(client);
  const before = unsentBytes();
  const count = others.length;
  for (let index = 0; index < 100; index += 1) {
    await outlets.send([purchase('y'.repeat(1_000))], state('0'));
    await turn();
  }
  expect(unsentBytes()).toBe(before);
  expect(before).toBeLessThanOrEqual(MAX_UNSENT_BYTES + 31_000);
  await until(() => others.filter((name) => name.includes('y')).length === 100);
  expect(others.length).toBeGreaterThan(count);
});

it('bounds what waits for a client that polls no more', async () => {
  const { client } = await connect(['polling'], ['gamer:a']);
  const poll = jest.spyOn(client.io.engine.transport as unknown as { _poll(): void }, '_poll').mockReturnValue();
  while (!(await outlets.send([purchase('x'.repeat(30_000))], state('0')))) await turn();
  await outlets.send([balance('missed', 'gamer:a')], state('0'));
  const again: string[] = [];
  client.offAny().onAny((name: string) => again.push(name));
  // Two polls at once are an error.
  await until(() => poll.mock.calls.length > 0);
  poll.mockRestore();
  (client.io.engine.transport as unknown as { _poll(): void })._poll();
  while (await outlets.send([], state('now'))) await new Promise((resolve) => setTimeout(resolve, 5));
  await until(() => again.at(-1) === 'balanceUpdated');
  expect(again.at(-2)).toBe('state:update');
});
