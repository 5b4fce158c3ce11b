import { once } from 'node:events';
import { createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { openFastClient } from './fast-client.js';

it('lets the server send half a megabyte of a read ahead', async () => {
  const server = createServer();
  const connected = new Promise<ServerHttp2Session>((resolve) => server.on('session', resolve));
  server.on('stream', (stream) => {
    stream.respond({ 'content-type': 'application/grpc+proto', 'grpc-status': '0' }, { endStream: true });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = openFastClient(`esdb://127.0.0.1:${(server.address() as AddressInfo).port}?tls=false`);
  for await (const _ of client.readAll());
  const session = await connected;
  expect(session.remoteSettings.initialWindowSize).toBe(524_288);
  await client.dispose();
  session.destroy();
  server.close();
});
