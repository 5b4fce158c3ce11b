import { once } from 'node:events';
import { createConnection } from 'node:net';
import { get, type HttpServer, json, post, startHttpServer } from './http-server.js';

describe('the HTTP server of the stand-ins', () => {
  let server: HttpServer;
  beforeAll(async () => {
    server = await startHttpServer({
      host: '127.0.0.1',
      port: 0,
      routes: [post('/done', () => json(200, {}))],
      notFound: () => json(404, {}),
    });
  });
  afterAll(() => server.close());

  /** Sends the request as it is and returns the response's status. */
  async function statusOf(request: string, body = Buffer.alloc(0)): Promise<string> {
    const socket = createConnection(server.port, '127.0.0.1');
    let response = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      response += text;
    });
    socket.write(`${request}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`);
    socket.write(body);
    await once(socket, 'close');
    return response.split(' ')[1]!;
  }

  it.each([
    ['an invalid address', 'GET // HTTP/1.1\r\nHost: here', '400'],
    ['a form on its own page', 'POST /done HTTP/1.1\r\nHost: here:1\r\nOrigin: http://here:1', '200'],
    ['a client that sends no Origin', 'POST /done HTTP/1.1\r\nHost: here:1', '200'],
    ['a form on another site', 'POST /done HTTP/1.1\r\nHost: here:1\r\nOrigin: http://there:1', '403'],
    ['a form on a site that hides its origin', 'POST /done HTTP/1.1\r\nHost: here:1\r\nOrigin: null', '403'],
    ['an address and localhost', 'POST /done HTTP/1.1\r\nHost: [::1]:1', '200'],
    ['a name that another site points here', 'POST /done HTTP/1.1\r\nHost: rebound.example:1', '421'],
    ['a read under such a name', 'GET / HTTP/1.1\r\nHost: rebound.example', '421'],
    ['an invalid Origin', 'POST /done HTTP/1.1\r\nHost: here:1\r\nOrigin: //', '403'],
  ])('responds to %s with the right status', async (_, request, status) => {
    expect(await statusOf(request)).toBe(status);
  });

  describe('with a token', () => {
    let guarded: HttpServer;
    beforeAll(async () => {
      guarded = await startHttpServer({
        host: '127.0.0.1',
        port: 0,
        access: { token: 'the-token', isOpen: (path) => path === '/open' },
        routes: [get('/', () => json(200, {})), get('/open', () => json(200, {})), post('/done', () => json(200, {}))],
        notFound: () => json(404, {}),
      });
    });
    afterAll(() => guarded.close());

    const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(guarded.url + path, { method, headers, redirect: 'manual' });

    it.each<[string, string, Record<string, string>]>([
      ['no token', '/', {}],
      ['a wrong token', '/?token=another', {}],
      ['an empty token', '/?token=', {}],
      ['a wrong bearer token', '/', { authorization: 'Bearer the-token2' }],
      ['a token in the cookie of another port', '/', { cookie: 'practice-token-1=the-token' }],
      ['no token, at an unknown path', '/unknown', {}],
    ])('refuses %s', async (_, path, headers) => {
      expect((await send(path, headers)).status).toBe(403);
      expect((await send('/done', headers, 'POST')).status).toBe(403);
    });

    it('takes it from the address into a cookie that scripts cannot read, and drops it from the address', async () => {
      const entrance = await send('/?token=the-token&to=a%40b');
      expect([entrance.status, entrance.headers.get('location')]).toEqual([303, '/?to=a%40b']);
      const cookie = entrance.headers.get('set-cookie') ?? '';
      expect(cookie).toBe(`practice-token-${guarded.port}=the-token; Path=/; HttpOnly; SameSite=Lax`);
      expect((await send('/', { cookie: cookie.split(';')[0] ?? '' })).status).toBe(200);
      expect((await send('/done?token=the-token', {}, 'POST')).status).toBe(403);
    });

    it('admits a bearer token, and everybody to open paths', async () => {
      expect((await send('/done', { authorization: 'Bearer the-token' }, 'POST')).status).toBe(200);
      expect((await send('/open')).status).toBe(200);
    });
  });

  it('reads a body that is too large to its end and responds with 413', async () => {
    expect(await statusOf('POST /done HTTP/1.1\r\nHost: here:1', Buffer.alloc(4 * 1024 * 1024))).toBe('413');
  });
});
