import { io } from 'socket.io-client';
import { SOCKET_PATH } from '../../../contracts/live.js';
import { LEDGER_STREAM, postStream } from '../../../contracts/streams.js';
import { EventLog } from '../../../event-log/event-log.js';
import { AppModule } from '../../src/app.module.js';
import { routesOf } from '../../src/http/openapi.js';
import { WholeApplication } from '../whole-application.js';

const application = WholeApplication.forTests();
const admin = application.adminForTests();

/** The headers a browser sends for a page of another site. */
const STRANGERS: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost.evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
];

const routes = routesOf(AppModule);
const writing = routes.filter(({ method }) => method !== 'get');

describe('a page of another site, in the admin’s own browser', () => {
  /** One hook refuses for all routes, so each kind of page tries every fifth one. */
  const attempts = writing.map(
    ({ method, path }, index) => [method.toUpperCase(), path, STRANGERS[index % STRANGERS.length]] as const,
  );

  it.each(attempts)('cannot %s %s', async (method, path, headers) => {
    const response = await admin.visitor.send(method, path.replace(/\{\w+\}/, admin.id), {}, headers);
    expect(response).toMatchObject({
      status: 403,
      body: { error: 'This request did not come from an allowed origin' },
    });
  });

  it('appends no event by a refused request', async () => {
    const log = application.api.app.get(EventLog);
    // The admin's own enrolment is the first event.
    expect(await log.headRevision(LEDGER_STREAM)).toBe(0);
    for await (const { stream } of log.readAll([postStream('')])) throw new Error(`${stream} was written`);
  });

  it.each(routes.map(({ method, path }) => [method.toUpperCase(), path] as const))(
    'is not let read the response of %s %s',
    async (method, path) => {
      const at = path.replace(/\{\w+\}/, admin.id);
      const origin = { origin: 'https://evil.example' };
      const headers = { ...origin, 'access-control-request-method': method };
      const preflight = await admin.visitor.send('OPTIONS', at, undefined, headers);
      expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
      if (method !== 'GET') return;
      const response = await admin.visitor.get(at, origin);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it.each(['polling', 'websocket'])('opens no socket by %s', async (transport) => {
    const cookie = `omni.sid=${admin.visitor.cookie('omni.sid')}`;
    for (const headers of STRANGERS) {
      const socket = io(application.api.url, {
        path: SOCKET_PATH,
        transports: [transport],
        extraHeaders: { ...headers, cookie },
        reconnection: false,
        forceNew: true,
      });
      const outcome = await new Promise<string>((resolve) => {
        socket.once('connect', () => resolve('connected'));
        socket.once('connect_error', () => resolve('refused'));
      });
      socket.close();
      expect([headers, outcome]).toEqual([headers, 'refused']);
    }
  });
});

it('accepts all of it from our own page', async () => {
  const socket = await application.socket(admin.visitor);
  expect(socket.connected).toBe(true);
  const own: Record<string, string>[] = [{ origin: application.api.url }, { 'sec-fetch-site': 'same-origin' }];
  for (const headers of own) {
    const response = await admin.visitor.post('/api/admin/timers', {}, headers);
    expect(response.status).toBe(400);
  }
});
