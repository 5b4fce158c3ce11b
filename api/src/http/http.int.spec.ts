import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect, type Socket as NetSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { SOCKET_PATH } from '../../../contracts/live.js';
import { EventLog } from '../../../event-log/event-log.js';
import { LogUnavailable } from '../../../event-log/event-log.types.js';
import { ADMIN_PASSWORD } from '../../test/api-under-test.js';
import { Visitor } from '../../test/visitor.js';
import { WholeApplication } from '../../test/whole-application.js';
import { PriorityPool } from '../platform/priority-pool.store.js';
import { SessionStore } from './sessions.store.js';

const FILES = {
  'index.html': '<!doctype html><title>The main page</title>',
  'page.html': '<!doctype html><title>The page</title>',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/main-4f2a.js': 'console.info(1);',
  'assets/main-4f2a.js.map': '{"sources":["main.ts"]}',
  'assets/big-1c3d.js': 'console.info(2);',
  'assets/big-1c3d.js.br': brotliCompressSync('console.info(2);'),
  'assets/big-1c3d.js.gz': gzipSync('console.info(2);'),
};
const webRoot = mkdtempSync(join(tmpdir(), 'omni-web-'));
mkdirSync(join(webRoot, 'assets'));
for (const [file, content] of Object.entries(FILES)) writeFileSync(join(webRoot, file), content);

const application = WholeApplication.forTests({ WEB_ROOT: webRoot }, { worker: false });
const { api } = application;
const secure = application.anotherNodeForTests({
  PUBLIC_ORIGIN: 'https://play.example',
  METRICS_TOKEN: 'a token for metrics',
  WEB_ROOT: webRoot,
});

afterAll(() => rmSync(webRoot, { recursive: true, force: true }));
afterEach(() => jest.restoreAllMocks());

const logIn = (visitor: Visitor) => visitor.post('/api/login', { username: 'admin', password: ADMIN_PASSWORD });

/** A visitor of the public site, through its trusted proxy. */
const overHttps = (more: Record<string, string> = {}) =>
  new Visitor(secure.url, {
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '203.0.113.1',
    origin: 'https://play.example',
    ...more,
  });

const HTML_FORM: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };

describe('bodies', () => {
  it.each([
    ['are not JSON', '{"username":', 400, 'The request is not valid JSON', 'invalid-json'],
    ['exceed the size limit', 'x'.repeat(200_000), 413, 'The request is too large', 'request-too-large'],
    ['are of an HTML form', 'username=admin', 400, 'All fields are required', 'all-fields-required', HTML_FORM],
  ])('are refused when they %s', async (_, sent, status, error, code, headers = {}) => {
    expect(await new Visitor(api.url).post('/api/login', sent, headers)).toMatchObject({
      status,
      body: { error, code },
    });
  });

  it('and paths must not hold text that cannot be stored', async () => {
    const refusal = {
      status: 400,
      body: { error: 'The request contains characters that cannot be stored', code: 'unwritable-text' },
    };
    const visitor = new Visitor(api.url);
    for (const username of ['a\0b', '\ud800', ['\udc00']]) {
      expect(await visitor.post('/api/login', { username, password: 'x' })).toMatchObject(refusal);
    }
    expect(await visitor.get('/api/ref/%00')).toMatchObject(refusal);
    expect(await visitor.get('/api/ref/x?y=a%00')).toMatchObject(refusal);
    expect((await visitor.post('/api/login', { username: '🎉', password: 'x' })).status).toBe(401);
  });

  it('may hold a field named constructor, which is ignored', async () => {
    const escaped = '{"username":"a","password":"b","odd":{"c\\u006fnstructor":1}}';
    for (const sent of [escaped, escaped.replace('{"c', '[{"c').replace('1}', '"s"}]')])
      expect((await new Visitor(api.url).post('/api/login', sent)).status).toBe(401);
  });
});

const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];

function sendLines(route: string, ...lines: string[]): NetSocket {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.write([`${route} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  return socket;
}

describe('methods', () => {
  it.each(['/api/health/live', '/', '/assets/main-4f2a.js'])(
    'HEAD %s is answered as GET, without the body',
    async (path) => {
      const [got, head] = [await fetch(api.url + path), await fetch(api.url + path, { method: 'HEAD' })];
      expect(await head.text()).toBe('');
      for (const name of ['content-length', 'content-type', 'cache-control'])
        expect(head.headers.get(name)).toBe(got.headers.get(name));
      expect(head.status).toBe(200);
    },
  );

  it.each([
    ['DELETE', '/api/health'],
    ['OPTIONS', '/api/health'],
    ['POST', '/'],
    ['GET', '/api/nothing/here'],
  ])('without a route return 404 with error and code: %s %s', async (method, path) => {
    const response = await new Visitor(api.url).send(method, path);
    expect(response).toMatchObject({ status: 404, body: { error: 'Not found', code: 'not-found' } });
  });

  it('do not have TRACE, which would answer with the request’s own headers', async () => {
    const response = await text(
      sendLines('TRACE /api/health', 'Host: x', 'Connection: close', 'Cookie: omni.sid=secret'),
    );
    expect(response).toMatch(/^HTTP\/1.1 404 /);
    expect(response).not.toContain('secret');
  });

  const CONNECT = `GET ${SOCKET_PATH}/?EIO=4&transport=`;
  it.each([
    ['GET /api/health', ['Connection: close']],
    [`${CONNECT}polling`, ['Connection: close']],
    [`${CONNECT}websocket`, [...UPGRADE, 'Sec-WebSocket-Version: 13']],
  ])('have one Host: %s', async (route, head) => {
    const own = [`Host: ${new URL(api.url).host}`, `Origin: ${api.url}`, ...head];
    const socket = sendLines(route, ...own, 'host: b.example');
    const [response] = await once(socket, 'data');
    socket.destroy();
    // A foreign Origin on the live connection would get "Forbidden".
    expect(String(response)).toMatch(/^HTTP\/1.1 400 (?![\s\S]*Forbidden)/);
  });

  it('get a 408 when their body comes too slowly', async () => {
    const server: Server = api.app.getHttpServer();
    expect(server.requestTimeout).toBe(30_000);
    // Node swaps the two limits when that of the headers is the longer one.
    Object.assign(server, { requestTimeout: 1_000, headersTimeout: 500 });
    const socket = sendLines('POST /api/login', 'Host: x', 'Content-Length: 1000');
    const dripping = setInterval(() => socket.write(' '), 100);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 408 /);
    clearInterval(dripping);
    Object.assign(server, { requestTimeout: 30_000, headersTimeout: 30_000 });
  });
});

describe('failures', () => {
  it('that are unexpected reveal no details', async () => {
    const visitor = new Visitor(api.url);
    await logIn(visitor);
    jest.spyOn(api.app.get(SessionStore), 'of').mockRejectedValueOnce(new Error('the table is on fire') as never);
    const response = await visitor.get('/api/auth/status');
    expect(response).toMatchObject({ status: 500, body: { error: 'Something went wrong. Please try again.' } });
  });

  it('of a store are a 503 with Retry-After', async () => {
    const visitor = new Visitor(api.url);
    await logIn(visitor);
    jest.spyOn(api.app.get(PriorityPool), 'query').mockImplementation(() => {
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    });
    const response = await visitor.get('/api/auth/status');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
  });
});

describe('pages', () => {
  it.each([
    ['/', 200, 'The main page'],
    ['/gamers-guide', 200, 'The page'],
    ['/reset-password?token=x', 200, 'The page'],
    ['/rounds/12', 200, 'The page'],
    ['/some/unknown/path', 404, 'The page'],
    ['/.data/session-secret', 404, 'The page'],
    ['/rounds', 404, 'The page'],
    ['/page', 404, 'The page'],
  ])('%s is answered with %i and %s', async (path, status, title) => {
    const response = await new Visitor(api.url).get<string>(path, status === 404 ? { 'if-none-match': '*' } : {});
    expect(response).toMatchObject({ status, body: expect.stringContaining(title) });
    expect(response.headers.get('cache-control')).toBe('no-cache');
  });

  it.each(['/', '/assets/main-4f2a.js', '/api/health', '/api/nothing/here'])(
    'and all other responses have the headers that protect a browser: %s',
    async (path) => {
      const { headers } = await new Visitor(api.url).get(path);
      for (const directive of ["script-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
        expect(headers.get('content-security-policy')).toContain(directive);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('content-type')).toMatch(/; charset=utf-8$/i);
    },
  );

  it('answer an address with a dot only where a browser opens it', async () => {
    const visitor = new Visitor(api.url);
    const opened = await visitor.get('/old/index.php', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect(opened).toMatchObject({ status: 404, body: expect.stringContaining('The page') });
    expect((await visitor.get('/old/picture.png', { accept: 'image/avif,image/webp,*/*;q=0.8' })).status).toBe(404);
  });

  it('have assets cacheable for a year, and a 404 for a missing asset', async () => {
    const visitor = new Visitor(api.url);
    const asset = await visitor.get<string>('/assets/main-4f2a.js');
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await visitor.get('/favicon.svg')).headers.get('cache-control')).toBe('no-cache');
    expect((await visitor.get('/assets/main-gone.js')).status).toBe(404);
    expect((await visitor.get('/..%2f..%2fetc%2fpasswd.txt')).status).toBeGreaterThanOrEqual(400);
  });
});

it.each([
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['gzip;q=1, br;q=0', 'gzip'],
  ['identity', null],
])('a compressed asset is sent to a browser that accepts %s as %s', async (accepted, sent) => {
  const asset = await new Visitor(api.url).get<string>('/assets/big-1c3d.js', { 'accept-encoding': accepted });
  const { headers, body } = asset;
  expect([headers.get('content-encoding'), headers.get('vary'), body]).toEqual([
    sent,
    'accept-encoding',
    'console.info(2);',
  ]);
  expect(headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
});

describe('behind https', () => {
  it('HSTS is set, and cookies are Secure and bound to this host: one that another subdomain planted opens no session', async () => {
    const visitor = overHttps();
    const { headers } = await logIn(visitor);
    expect(headers.get('strict-transport-security')).toContain('max-age=31536000');
    expect(headers.get('content-security-policy')).toContain("connect-src 'self' wss://play.example");
    const [session, device] = headers.getSetCookie();
    expect(session).toMatch(/^__Host-omni\.sid=.*; Path=\/;.* Secure/);
    expect(device).toMatch(/^__Host-omni\.device=.*; Path=\/;.* Secure/);
    const status = (of: Visitor) => of.get('/api/auth/status').then(({ body }) => body);
    expect(await status(visitor)).toMatchObject({ isAuthenticated: true });
    const planted = overHttps();
    planted.setCookie('omni.sid', visitor.cookie('__Host-omni.sid') as string);
    expect(await status(planted)).toEqual({ isAuthenticated: false });
    await visitor.post('/api/logout');
    expect(visitor.cookie('__Host-omni.sid')).toBeUndefined();
  });

  it('no cookie is set over http', async () => {
    const response = await logIn(new Visitor(secure.url, { origin: 'https://play.example' }));
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});

it('health is 503 while one store does not answer, and the process still counts as live', async () => {
  jest.spyOn(secure.app.get(EventLog), 'headRevision').mockRejectedValue(new LogUnavailable('away'));
  const visitor = new Visitor(secure.url);
  expect(await visitor.get('/api/health')).toMatchObject({
    status: 503,
    body: { status: 'unavailable', checks: { postgres: 'ok', eventLog: 'failed' } },
  });
  expect((await visitor.get('/api/health/live')).status).toBe(200);
});

it('metrics are readable from this machine and with the token, and label routes by their pattern', async () => {
  const visitor = new Visitor(api.url);
  await visitor.get('/api/ref/SECRET22');
  const { body } = await visitor.get<string>('/api/metrics');
  expect(body).toMatch(/http_request_duration_seconds_bucket{.*route="\/api\/ref\/:code"/);
  expect(body).not.toContain('SECRET22');
  expect((await overHttps().get('/api/metrics')).status).toBe(404);
  const bearing = (token: string) => overHttps({ authorization: `Bearer ${token}` }).get('/api/metrics');
  expect((await bearing('b token for metrics')).status).toBe(404);
  expect((await bearing('a token for metrics')).status).toBe(200);
});

it('the OpenAPI document is served as page and as JSON', async () => {
  const { body } = await new Visitor(api.url).get<{ paths: object }>('/api/docs-json');
  expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(['/api/register', '/api/login', '/api/health']));
  // The page may run our script files but no inline scripts.
  const page = await new Visitor(api.url).get<string>('/api/docs');
  expect(page.status).toBe(200);
  expect(page.body).not.toMatch(/<script(?![^>]*src=)[^>]*>/);
});

describe('on a public site', () => {
  // api/test/adversarial/staff.int.spec.ts has the admin with a second factor, who reads them.
  it('the API’s documents are hidden from visitors, and from the admin without a second factor', async () => {
    const admin = overHttps();
    expect((await logIn(admin)).status).toBe(200);
    for (const path of ['', '/', '-json', '-yaml', '/swagger-ui.css'])
      for (const visitor of [overHttps(), admin])
        expect(await visitor.get(`/api/docs${path}`)).toMatchObject({ status: 404, body: { code: 'not-found' } });
  });

  it.each(['main-4f2a.js.map', 'main-4f2a%2ejs%2emap', '%6dain-4f2a.js.ma%70'])(
    'the source map %s is a 404',
    async (name) => {
      const visitor = overHttps();
      expect((await visitor.get('/assets/main-4f2a.js')).status).toBe(200);
      expect((await visitor.get(`/assets/${name}`)).status).toBe(404);
      expect((await visitor.get('/assets/main-4f2a.js.map', { accept: 'text/html' })).status).toBe(404);
      expect((await new Visitor(api.url).get('/assets/main-4f2a.js.map')).status).toBe(200);
    },
  );
});
