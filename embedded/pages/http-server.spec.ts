import { once } from 'node:events';
import { createConnection } from 'node:net';
import { json, type RunningServer, startHttpServer } from './http-server.js';

describe('the server of the stand-ins', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startHttpServer({
      host: '127.0.0.1',
      port: 0,
      routes: [{ method: 'POST', path: /^\/done$/, answer: () => json(200, {}) }],
      notFound: () => json(404, {}),
    });
  });
  afterAll(() => server.close());

  /** The status of what is sent as it is. */
  async function statusOf(request: string, body = Buffer.alloc(0)): Promise<string> {
    const socket = createConnection(server.port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text;
    });
    socket.write(`${request}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`);
    socket.write(body);
    await once(socket, 'close');
    return answer.split(' ')[1]!;
  }

  it.each([
    ['an address that is none', 'GET // HTTP/1.1\r\nHost: here', '400'],
    ['a form of its own', 'POST /done HTTP/1.1\r\nHost: here:1\r\nOrigin: http://here:1', '200'],
    ['a program', 'POST /done HTTP/1.1\r\nHost: here:1', '200'],
    ['a form of another site', 'POST /done HTTP/1.1\r\nHost: here:1\r\nOrigin: http://there:1', '403'],
    ['a form of a site that hides', 'POST /done HTTP/1.1\r\nHost: here:1\r\nOrigin: null', '403'],
    ['an origin that is none', 'POST /done HTTP/1.1\r\nHost: here:1\r\nOrigin: //', '403'],
  ])('answers %s', async (_, request, status) => {
    expect(await statusOf(request)).toBe(status);
  });

  it('tells whoever sends too much, after all of it', async () => {
    expect(await statusOf('POST /done HTTP/1.1\r\nHost: here:1', Buffer.alloc(4 * 1024 * 1024))).toBe('413');
  });
});
