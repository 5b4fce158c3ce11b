import { ADMIN_PASSWORD, startApi, startStores } from '../test/api-under-test.js';
import { Visitor } from '../test/visitor.js';
import { Logins } from './features/gamers/accounts.controller.js';
import { closeGently } from './stop-on-signals.js';

it('finishes requests in flight, accepts no new ones, and stops despite kept-alive connections', async () => {
  const stores = await startStores();
  const api = await startApi(stores);
  const logins = api.app.get(Logins);
  const logIn = logins.logIn.bind(logins);
  const [begun, begin] = gate();
  const [allowed, allow] = gate();
  jest.spyOn(logins, 'logIn').mockImplementationOnce(async (...request) => {
    begin();
    await allowed;
    return logIn(...request);
  });
  const visitor = new Visitor(api.url);
  expect((await visitor.get('/api/health')).status).toBe(200);
  const inFlight = visitor.post('/api/login', { username: 'admin', password: ADMIN_PASSWORD });
  await begun;

  const closed = closeGently(api.app, 100);
  const lastCall = await new Visitor(api.url).get('/api/health');
  expect(lastCall).toMatchObject({ status: 503, body: { status: 'stopping' } });
  expect(lastCall.headers.get('connection')).toBe('close');
  const server = api.app.getHttpServer() as { listening: boolean };
  while (server.listening) await new Promise((resolve) => setTimeout(resolve, 10));
  await expect(new Visitor(api.url).get('/api/health')).rejects.toThrow('fetch failed');

  allow();
  expect(await inFlight).toMatchObject({ status: 200, body: { gamerTag: 'admin' } });
  await closed;
  await stores.close();
}, 30_000);

function gate(): [opened: Promise<void>, open: () => void] {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return [opened, open];
}
