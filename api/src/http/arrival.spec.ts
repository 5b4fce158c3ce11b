import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { arrivalOf, recordArrivals } from './arrival.js';

const BODY = '{"quantity":1}';
const HEAD = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${BODY.length}\r\n\r\n`;

let now = 0;
let server: Server;
let socket: Socket;
let arrived: Promise<number>;

beforeEach(async () => {
  now = 1_000;
  let done: (arrival: number) => void = () => {};
  arrived = new Promise((resolve) => {
    done = resolve;
  });
  server = createServer((request, response) => {
    request.resume().on('end', async () => {
      // A session lookup, for example.
      await sleep(5);
      done(arrivalOf(request));
      response.end();
    });
  });
  recordArrivals(server, () => now);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
});
afterEach(() => {
  socket.destroy();
  server.close();
});

it('is when its head reaches the server, whatever happens afterwards', async () => {
  server.on('request', () => {
    now += 400;
  });
  socket.write(HEAD + BODY);
  expect(await arrived).toBe(1_000);
});

it('is when its body ends, if the body was held back', async () => {
  socket.write(HEAD);
  await sleep(50);
  now = 9_000;
  socket.write(BODY);
  expect(await arrived).toBe(9_000);
});
