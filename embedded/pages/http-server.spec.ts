import { type HttpServer, startHttpServer } from './http-server.js';

let open: HttpServer;
let guarded: HttpServer;
beforeAll(async () => {
  const options = {
    port: 0,
    pagesCss: new URL('../mail/mail.css', import.meta.url),
    routes(app: Parameters<Parameters<typeof startHttpServer>[0]['routes']>[0]) {
      for (const path of ['/', '/open']) app.get(path, () => ({}));
      app.post('/done', () => ({}));
    },
  };
  open = await startHttpServer(options);
  guarded = await startHttpServer({ ...options, token: 'the-token', isOpen: (path) => path === '/open' });
});
afterAll(() => Promise.all([open.close(), guarded.close()]));

const port = (server: HttpServer) => new URL(server.url).port;
const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(guarded.url + path, { method, headers, redirect: 'manual' });

it.each<[string, string | undefined, number]>([
  ['a form on its own page', 'itself', 200],
  ['a client that sends no Origin', undefined, 200],
  ['a form on another site', 'http://there:1', 403],
  ['a form on a site that hides its origin', 'null', 403],
  ['an invalid Origin', '//', 403],
])('responds to %s with the right status', async (_, from, status) => {
  const origin = from === 'itself' ? open.url : from;
  const response = await fetch(`${open.url}/done`, { method: 'POST', headers: { ...(origin && { origin }) } });
  expect(response.status).toBe(status);
});

it.each<[string, string, Record<string, string>]>([
  ['no token', '/', {}],
  ['a wrong token', '/?token=another', {}],
  ['a wrong bearer token', '/', { authorization: 'Bearer the-token2' }],
  ['a token in the cookie of another port', '/', { cookie: 'practice-token-1=the-token' }],
  ['no token, at an unknown path', '/unknown', {}],
])('refuses %s', async (_, path, headers) => {
  expect((await send(path, headers)).status).toBe(403);
  expect((await send('/done', headers, 'POST')).status).toBe(403);
});

it('takes the token from the address into a cookie that scripts cannot read, and drops it from the address', async () => {
  const entrance = await send('/?token=the-token&to=a%40b');
  expect([entrance.status, entrance.headers.get('location')]).toEqual([303, '/?to=a%40b']);
  const cookie = entrance.headers.get('set-cookie') ?? '';
  expect(cookie).toBe(`practice-token-${port(guarded)}=the-token; Path=/; HttpOnly; SameSite=Lax`);
  expect((await send('/', { cookie: cookie.split(';')[0] ?? '' })).status).toBe(200);
  expect((await send('/done?token=the-token', {}, 'POST')).status).toBe(403);
});

it('admits a bearer token, and everybody to open paths', async () => {
  expect((await send('/done', { authorization: 'Bearer the-token' }, 'POST')).status).toBe(200);
  expect((await send('/open')).status).toBe(200);
  expect((await send('/_stand-in/theme.css')).status).toBe(200);
});
