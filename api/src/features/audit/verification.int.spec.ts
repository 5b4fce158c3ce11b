import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditVerdict, AuditVerification } from '../../../../contracts/http/audit.js';
import { ok } from '../../../test/visitor.js';
import { WholeApplication } from '../../../test/whole-application.js';
import { Background } from '../../platform/background.js';
import { Verification, verdictBy } from './verification.js';

const PATH = '/api/audit/verification';

describe('a verification', () => {
  const application = WholeApplication.forTests();
  const { visitor: admin } = application.adminForTests();
  const gamer = application.gamerForTests('an-auditor');
  const auditor = gamer.visitor;
  const found = { events: 4, findingCount: 0, findings: [] } as unknown as AuditVerdict;
  let verifying: jest.SpyInstance;

  beforeAll(async () => {
    await ok(admin.post(`/api/admin/mini/gamers/${gamer.id}/role`, { role: 'auditor' }));
    verifying = jest.spyOn(application.api.app.get(Verification), 'verify');
  });

  const state = async () => (await ok(auditor.get<AuditVerification>(PATH))).body;

  async function finished(): Promise<AuditVerification> {
    let at = await state();
    while (at.state === 'running') at = await state();
    return at;
  }

  it('replays the whole ledger, once for several requests at the same time', async () => {
    expect(await state()).toEqual({ state: 'never', startedAtMs: null, finishedAtMs: null, verdict: null });
    let finish = (_verdict: AuditVerdict) => {};
    verifying.mockReturnValue(
      new Promise<AuditVerdict>((resolve) => {
        finish = resolve;
      }),
    );
    const started = await auditor.post<AuditVerification>(PATH);
    expect(started).toMatchObject({ status: 202, body: { state: 'running', startedAtMs: expect.any(Number) } });
    expect((await auditor.post(PATH)).body).toEqual(started.body);
    expect(await state()).toEqual(started.body);
    finish(found);
    expect(await finished()).toMatchObject({
      state: 'done',
      startedAtMs: started.body.startedAtMs,
      finishedAtMs: expect.any(Number),
      verdict: found,
    });
    expect(verifying).toHaveBeenCalledTimes(1);
  });

  it('reports at most a hundred findings, with their number', async () => {
    const findings = Array.from({ length: 101 }, (_, revision) => ({ revision, message: 'TimeExtended is late' }));
    verifying.mockResolvedValue({ ...found, findingCount: 101, findings });
    await ok(auditor.post(PATH));
    expect((await finished()).verdict).toMatchObject({ findingCount: 101, findings: { length: 100 } });
  });

  it('reports a failed replay, and keeps the last verdict', async () => {
    verifying.mockRejectedValue(new Error('no log'));
    await ok(auditor.post(PATH));
    expect(await finished()).toMatchObject({ state: 'failed', verdict: { events: 4 } });
  });

  it('ends on shutdown', async () => {
    verifying.mockImplementation(
      (stopping: AbortSignal) =>
        new Promise((_, reject) => {
          if (stopping.aborted) reject(new Error('stopped'));
          stopping.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    );
    await ok(auditor.post(PATH));
    const verification = application.api.app.get(Verification);
    await application.api.app.get(Background).beforeApplicationShutdown();
    expect(verification.latest.state).toBe('failed');
  });
});

describe('the auditor’s command', () => {
  const printed = { events: 1, chain: 'c', heads: 0, findingCount: 1 };
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audit-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function run(script: string, stopping = new AbortController().signal) {
    const command = join(folder, 'main.cjs');
    await writeFile(command, script);
    return verdictBy(command, { EVENT_STORE_URL: 'the log', DATABASE_URL: 'the tables' }, stopping);
  }

  it('returns its verdict, also when it exits with 1 because of findings', async () => {
    const script = `
      const { EVENT_STORE_URL, DATABASE_URL } = process.env;
      const message = [...process.argv.slice(2), EVENT_STORE_URL, DATABASE_URL].join();
      console.log(JSON.stringify({ ...${JSON.stringify(printed)}, findings: [{ revision: null, message }] }));
      process.exitCode = 1`;
    const findings = [{ revision: null, message: 'verify,--json,the log,the tables' }];
    expect(await run(script)).toEqual({ ...printed, findings });
  });

  it('runs without the secrets of the api', async () => {
    process.env.SESSION_SECRET ??= 'a secret that only tests know';
    const { findings } = await run(`
      const message = Object.keys(process.env).join();
      console.log(JSON.stringify({ ...${JSON.stringify(printed)}, findings: [{ revision: null, message }] }))`);
    const allowed = ['PATH', 'HOME', 'TZ', 'LANG', 'NODE_EXTRA_CA_CERTS', 'EVENT_STORE_URL', 'DATABASE_URL'];
    expect(findings[0]?.message.split(',').filter((name) => !allowed.includes(name))).toEqual([]);
  });

  it('throws the command’s error output when there is no verdict', async () => {
    await expect(run("console.error('no log here'); process.exitCode = 1")).rejects.toThrow('no log here');
    await expect(run("console.log('half a verd'); process.exitCode = 1")).rejects.toThrow('JSON');
    await expect(run('process.abort()')).rejects.toThrow('exit code null');
  });

  it('is killed when its signal is aborted', async () => {
    const stopping = new AbortController();
    const running = run('setInterval(() => {}, 1_000)', stopping.signal);
    setTimeout(() => stopping.abort(), 100);
    await expect(running).rejects.toThrow('aborted');
  });
});
