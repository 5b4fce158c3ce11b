import { io } from 'socket.io-client';
import { SOCKET_PATH } from '../../../contracts/live.js';
import { type LiveSocket, WholeApplication } from '../../test/whole-application.js';

const application = WholeApplication.forTests({ RATE_LIMITS: 'on', LIMIT_SOCKETS_PER_ADDRESS: '2' }, { worker: false });
const { api } = application;

/** Resolves to the socket once it is set up, or to null when it was refused. */
function connect(address: string, transport: 'polling' | 'websocket' = 'websocket'): Promise<LiveSocket | null> {
  const socket: LiveSocket = io(api.url, {
    path: SOCKET_PATH,
    transports: [transport],
    extraHeaders: { origin: api.url, 'x-forwarded-for': address },
    reconnection: false,
    forceNew: true,
  });
  application.closesLater(() => socket.disconnect());
  return new Promise((resolve) => {
    socket.once('state:update', () => resolve(socket));
    socket.once('connect_error', () => resolve(null));
  });
}

it('refuses sockets over the limit of an address until one of them closes', async () => {
  const first = await connect('203.0.113.7');
  const second = await connect('203.0.113.7', 'polling');
  expect([first?.connected, second?.connected]).toEqual([true, true]);
  expect(await connect('203.0.113.7')).toBeNull();
  expect(await connect('203.0.113.7', 'polling')).toBeNull();
  const other = await connect('203.0.113.8');
  expect(other?.connected).toBe(true);
  first?.disconnect();
  let third: LiveSocket | null = null;
  // The server notices the close a moment later.
  while (third === null) third = await connect('203.0.113.7');
  expect(third.connected).toBe(true);
  expect(await connect('203.0.113.7')).toBeNull();
});

it('counts an IPv6 /64 as one address', async () => {
  expect(await connect('2001:db8:1:2::1')).not.toBeNull();
  expect(await connect('2001:db8:1:2:ffff::9')).not.toBeNull();
  expect(await connect('2001:db8:1:2::3')).toBeNull();
  expect(await connect('2001:db8:1:3::1')).not.toBeNull();
});
