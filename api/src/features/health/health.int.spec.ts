import { DEFAULT_TIMERS } from '../../../../contracts/limits.js';
import { until } from '../../../../contracts/testing/until.js';
import { ADMIN_PASSWORD } from '../../../test/api-under-test.js';
import type { ApiResponse } from '../../../test/visitor.js';
import { WholeApplication } from '../../../test/whole-application.js';
import { PriorityPool } from '../../platform/priority-pool.store.js';
import { closeGently } from '../../stop-on-signals.js';
import { Logins } from '../gamers/logins.js';
import { type HealthReport, ReadModelLag } from './readiness.js';

const application = WholeApplication.forTests();
const admin = application.adminForTests();

/** Waits until the cached report, half a second old, has expired. */
const untilStatus = (status: HealthReport['status']): Promise<ApiResponse<HealthReport>> =>
  until(
    () => application.visitor().get<HealthReport>('/api/health'),
    ({ body }) => body.status === status,
  );

async function gauges(): Promise<Map<string, number>> {
  const { body } = await application.visitor().get<string>('/api/metrics');
  return new Map(
    [...body.matchAll(/^(ledger_\w+|read_models_behind_seconds) (\S+)$/gm)].map(([, name = '', value]) => [
      name,
      Number(value),
    ]),
  );
}

let liveDurationSeconds = DEFAULT_TIMERS.liveDurationSeconds;
function act() {
  liveDurationSeconds += 1;
  return admin.visitor.post('/api/admin/timers', { ...DEFAULT_TIMERS, liveDurationSeconds });
}

it('is ok while a worker keeps the tables current, and metrics show the revision', async () => {
  const report = await untilStatus('ok');
  expect(report).toMatchObject({ status: 200, body: { checks: { postgres: 'ok', eventLog: 'ok', readModels: 'ok' } } });
  const before = await gauges();
  const acted = await act();
  expect(acted.status).toBe(200);
  const after = await gauges();
  expect(after.get('ledger_revision')).toBe((before.get('ledger_revision') ?? 0) + 1);
  expect(after.get('ledger_waiting_commands')).toBe(0);
  await admin.visitor.get('/api/stats', { 'x-after-position': acted.headers.get('x-position') ?? '' });
  const later = await gauges();
  expect(later.get('read_models_behind_seconds')).toBe(0);
});

it('is unavailable while purchases get no connection to Postgres, although lists do', async () => {
  const pool = application.api.app.get(PriorityPool);
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    const response = await untilStatus('unavailable');
    expect(response.status).toBe(503);
    expect(response.body.checks.postgres).toMatch(/^purchases get no connection: /);
    expect((await application.visitor().get('/api/winners')).status).toBe(200);
  } finally {
    for (const client of held) client.release();
  }
  await untilStatus('ok');
});

it('is degraded, but not unavailable, while the tables are far behind', async () => {
  const behind = jest.spyOn(application.api.app.get(ReadModelLag), 'behindMs').mockReturnValue(11_000);
  const response = await untilStatus('degraded');
  expect(response).toMatchObject({ status: 200, body: { checks: { postgres: 'ok', readModels: 'far behind' } } });
  behind.mockRestore();
  await untilStatus('ok');
});

it('is degraded, but not unavailable, without a worker, and the tables’ lag grows', async () => {
  await application.worker?.stop();
  const response = await untilStatus('degraded');
  expect(response).toMatchObject({ status: 200, body: { checks: { postgres: 'ok', readModels: 'no worker' } } });
  expect((await act()).status).toBe(200);
  while (((await gauges()).get('read_models_behind_seconds') ?? 0) < 1) await new Promise((go) => setTimeout(go, 50));
});

it('is stopping while requests in flight are finished, no new ones accepted, and kept-alive connections closed', async () => {
  const { api } = application;
  const logins = api.app.get(Logins);
  const logIn = logins.logIn.bind(logins);
  const [begun, begin] = gate();
  const [allowed, allow] = gate();
  jest.spyOn(logins, 'logIn').mockImplementationOnce(async (...request) => {
    begin();
    await allowed;
    return logIn(...request);
  });
  const visitor = application.visitor();
  expect((await visitor.get('/api/health')).status).toBe(200);
  const inFlight = visitor.post('/api/login', { username: 'admin', password: ADMIN_PASSWORD });
  await begun;

  const closed = closeGently(api.app, 100);
  const lastCall = await application.visitor().get('/api/health');
  expect(lastCall).toMatchObject({ status: 503, body: { status: 'stopping' } });
  expect(lastCall.headers.get('connection')).toBe('close');
  const server = api.app.getHttpServer() as { listening: boolean };
  while (server.listening) await new Promise((resolve) => setTimeout(resolve, 10));
  await expect(application.visitor().get('/api/health')).rejects.toThrow('fetch failed');

  allow();
  expect(await inFlight).toMatchObject({ status: 200, body: { gamerTag: 'admin' } });
  await closed;
});

function gate(): [opened: Promise<void>, open: () => void] {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return [opened, open];
}
