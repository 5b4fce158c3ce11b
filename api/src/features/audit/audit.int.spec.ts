import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  AuditEvent,
  AuditLedgerResponse,
  AuditLine,
  AuditRoundsResponse,
  AuditTrialBalance,
  AuditVerdict,
  AuditVerification,
} from '../../../../contracts/http/audit.js';
import { words } from '../../../../contracts/words.js';
import { CHAIN_START } from '../../../../domain/ledger/chain.js';
import { auditScenario, DOGECOIN } from '../../../test/audit-scenario.js';
import { ok } from '../../../test/visitor.js';
import { Background } from '../../platform/background.js';
import { runAuditor, Verification } from './verification.js';

const PATH = '/api/audit/verification';

const { application, auditor, alice, bob, ledger, read, newest } = auditScenario();

const listed = async (query: string): Promise<AuditLine[]> =>
  (await read<AuditLedgerResponse>(`ledger?${query}`)).events;

const typesOf = (lines: readonly AuditLine[]): string[] => lines.map(({ type }) => type);

const numbersOf = (lines: readonly AuditLine[]): number[] => lines.map(({ number }) => number);

describe('the ledger', () => {
  it('is listed newest first, with summaries', () => {
    expect(typesOf(ledger)).toEqual([
      ...words('WithdrawalReturned WithdrawalRequested WinningsTransferred RoundEnded'),
      ...['TimeExtended', 'TokenPurchased', 'TimeExtended', 'TokenPurchased', 'TimeExtended', 'TokenPurchased'],
      ...words(
        'LiveStarted GameStarted DepositorStatusSet BalanceAdjusted BalanceAdjusted TimersChanged StaffStatusSet',
      ),
      ...words('GamerEnrolled GamerEnrolled GamerEnrolled GamerEnrolled'),
    ]);
    expect(ledger.map(({ number }) => number)).toEqual(ledger.map((_, i) => ledger.length - i));
    const said = ledger.map(({ gamer, summary, movesCents }) => [gamer?.gamerTag ?? null, summary, movesCents]);
    expect(said.slice(0, 6)).toEqual([
      ['Alice', '$10.00 returned', 1_000],
      ['Alice', '$10.00 in DOGE', 1_000],
      ['bob', '$0.20 to the purchase balance', 20],
      ['bob', 'Round 1 won, jackpot $0.52', 52],
      ['bob', expect.stringMatching(/^\+1 s, ends \d+:\d\d:\d\d.[AP]M$/), 0],
      ['bob', expect.stringMatching(/^1 token, jackpot \$0\.52, \d\.\d{3} s left, and nobody bought after it$/), 30],
    ]);
    const overtaken = /^2 tokens, jackpot \$0\.26, \d\.\d{3} s left, overtaken [\d.]+ m?s later by Alice$/;
    expect(said.slice(9, 10)).toEqual([['bob', expect.stringMatching(overtaken), 60]]);
    expect(said.slice(12)).toEqual([
      ['Alice', expect.stringMatching(/^Depositor until \w{3} \d+, \d{4}, /), 0],
      ['bob', 'Purchase balance +$5.00: a gift', 500],
      ['Alice', 'Purchase balance +$5.00, winnings +$20.00: a gift', 2_500],
      [null, 'Pregame 1 s, live 2 s, downtime 600 s, a token 1 s', 0],
      ['an-auditor', 'Staff: neither buys, earns nor withdraws', 0],
      ['an-auditor', 'Place 2 under admin', 0],
      ['bob', 'Place 1 under Alice', 0],
      ['Alice', 'Place 1 under admin', 0],
      ['admin', 'The admin, root of the matrix', 0],
    ]);
  });

  it('is paged to its first event', async () => {
    const count = 7;
    const pages: AuditLedgerResponse[] = [];
    for (let before: number | null | undefined; before !== null; before = pages.at(-1)?.nextBefore) {
      pages.push(await read<AuditLedgerResponse>(`ledger?count=${count}${before ? `&before=${before}` : ''}`));
    }
    expect(pages.flatMap(({ events }) => events)).toEqual(ledger);
    expect(pages).toHaveLength(Math.ceil(ledger.length / count));
  });

  it('is filtered by type, by round, and by both', async () => {
    const purchases = ledger.filter(({ type }) => type === 'TokenPurchased');
    expect(await listed('type=TokenPurchased')).toEqual(purchases);
    expect(await listed('roundId=1&count=50')).toEqual(ledger.slice(3, 12));
    expect(await listed('roundId=1&type=TokenPurchased&count=2')).toEqual(purchases.slice(0, 2));
    expect(await listed('roundId=2')).toEqual([]);
    const page = await read<AuditLedgerResponse>('ledger?type=GamerEnrolled&count=3');
    expect(page.nextBefore).toBe(2);
    expect(await listed(`type=GamerEnrolled&count=3&before=${page.nextBefore}`)).toEqual(ledger.slice(-1));
    expect((await read<AuditLedgerResponse>('ledger?type=TokenPurchased&count=3')).nextBefore).toBeNull();
  });
});

describe('the search finds', () => {
  it('an event by its number', async () => {
    expect(numbersOf(await listed('find=3'))).toEqual([3]);
    expect(numbersOf(await listed('find=%20,01,0%20'))).toEqual([10]);
    expect(await listed('find=9,999')).toEqual([]);
    expect(await listed('find=3&type=TokenPurchased')).toEqual([]);
  });

  it('a gamer’s events and the payments to them, by tag or id', async () => {
    const ofAlice = await listed('find=aLiCe&count=50');
    expect(await listed(`find=${alice.id}&count=50`)).toEqual(ofAlice);
    expect(typesOf(ofAlice)).toEqual([
      ...words('WithdrawalReturned WithdrawalRequested TokenPurchased TokenPurchased TokenPurchased'),
      ...words('DepositorStatusSet BalanceAdjusted GamerEnrolled GamerEnrolled'),
    ]);
    expect(await listed('find=alice&type=TokenPurchased&count=2')).toEqual(ofAlice.slice(2, 4));
    expect(await listed('find=alice&roundId=1')).toEqual(ofAlice.slice(2, 5));
  });

  it('events by the beginning of an id, a command or a hash, but not by an address, which is encrypted', async () => {
    const requested = await read<AuditEvent>(`events/${newest('WithdrawalRequested').number}`);
    const { withdrawalId } = requested.recorded.data as { withdrawalId: string };
    expect(typesOf(await listed(`find=${withdrawalId}`))).toEqual(['WithdrawalReturned', 'WithdrawalRequested']);
    const { id, commandId } = requested;
    for (const text of [id, id.slice(0, 9).toUpperCase(), commandId, requested.chain.stored]) {
      expect(numbersOf(await listed(`find=${text}`))).toContain(requested.number);
    }
    const other = requested.chain.stored.slice(0, 63) + (requested.chain.stored.endsWith('0') ? '1' : '0');
    expect(await listed(`find=${other}`)).toEqual([]);
    expect(await listed(`find=${DOGECOIN}`)).toEqual([]);
    expect(requested.fields).toContainEqual({ name: 'Wallet address', value: DOGECOIN });
    expect(JSON.stringify(requested.recorded)).not.toContain(DOGECOIN);
    expect(await listed('find=nobody-of-that-name')).toEqual([]);
    expect(await listed('find=%20&count=100')).toEqual(ledger);
  });
});

it.each<[string, string]>([
  ['before=0', 'before must be the number of an event'],
  ['count=101', 'count must be a whole number from 1 to 100'],
  ['type=MoneyLaundered', 'type must be the type of an event of the ledger'],
  ['roundId=1.5', 'roundId must be the number of a round'],
  [`find=${'x'.repeat(129)}`, 'find must be a text of at most 128 characters'],
])('asking for %s is refused', async (query, error) => {
  expect(await auditor.visitor.get(`/api/audit/ledger?${query}`)).toMatchObject({ status: 400, body: { error } });
});

describe('an event', () => {
  it('has a reason for each posting', async () => {
    const [, , bobs] = ledger.filter(({ type }) => type === 'TokenPurchased') as [AuditLine, AuditLine, AuditLine];
    const event = await read<AuditEvent>(`events/${bobs.number}`);
    expect(event).toMatchObject({ ...bobs, roundId: 1 });
    expect(event.by).toEqual({ gamer: { id: bob.id, gamerTag: 'bob' }, role: 'gamer' });
    expect(event.postings).toEqual([
      { account: `gamer:${bob.id}:purchase`, name: 'gamer:bob:purchase', reason: 'pays for 2 tokens', cents: -60 },
      { account: 'jackpot', name: 'jackpot', reason: '13 cents a token', cents: 26 },
      { account: 'house:profit', name: 'house:profit', reason: '2 cents a token', cents: 4 },
      { account: `gamer:${alice.id}:winnings`, name: 'gamer:Alice:winnings', reason: 'level 1, and direct', cents: 6 },
      { account: 'house:unclaimed', name: 'house:unclaimed', reason: 'unclaimed: levels 2, 3, 4, 5, 6, 7', cents: 24 },
    ]);
    expect(event.fields).toContainEqual({ name: 'Source', value: 'balance' });
    expect(event.recorded).toMatchObject({ stream: 'ledger', revision: bobs.number - 1, type: 'TokenPurchased' });
  });

  it('is chained to the event before it', async () => {
    let before = CHAIN_START;
    for (const { number } of [...ledger].reverse()) {
      const { chain, postings, by } = await read<AuditEvent>(`events/${number}`);
      expect(chain).toEqual({ before, stored: chain.recomputed, recomputed: chain.recomputed });
      expect(postings.reduce((sum, { cents }) => sum + cents, 0)).toBe(0);
      expect(postings.every(({ reason }) => reason !== '')).toBe(true);
      expect(by.role === 'system').toBe(by.gamer === null);
      before = chain.stored;
    }
  });

  it('returns 404 for an unknown number', async () => {
    for (const number of [0, ledger.length + 1]) {
      const response = { status: 404, body: { error: `There is no event ${number} in the ledger` } };
      for (const path of ['events', 'trial-balances'])
        expect(await auditor.visitor.get(`/api/audit/${path}/${number}`)).toMatchObject(response);
    }
    expect((await auditor.visitor.get('/api/audit/events/first')).status).toBe(404);
  });
});

describe('the trial balance', () => {
  it('sums to zero as of every event, and ends with the balances of the read model', async () => {
    const trialBalances: AuditTrialBalance[] = [];
    for (const { number } of [...ledger].reverse())
      trialBalances.push(await read<AuditTrialBalance>(`trial-balances/${number}`));
    for (const balance of trialBalances) {
      expect(balance.sumCents).toBe(0);
      expect(balance.atMs).toBe(ledger[ledger.length - balance.number]?.atMs);
    }
    const { rows: served } = await application.database.query<{ account: string; cents: number }>(
      `SELECT regexp_replace(account, '^gamer:.*:', 'gamers:') AS account, sum(cents)::float8 AS cents
       FROM read.balances GROUP BY 1 HAVING sum(cents) <> 0`,
    );
    const last = trialBalances.at(-1) as AuditTrialBalance;
    expect(last).toMatchObject({ number: ledger.length, round: { roundId: 1, phase: 'downtime' } });
    const byName = (one: { account: string }, other: { account: string }) => (one.account < other.account ? -1 : 1);
    expect(last.accounts.filter(({ cents }) => cents !== 0).sort(byName)).toEqual([...served].sort(byName));
    const before = trialBalances[newest('RoundEnded').number - 2] as AuditTrialBalance;
    expect(before.round).toMatchObject({ roundId: 1, phase: 'live' });
    expect(before.accounts[0]).toEqual({ account: 'jackpot', cents: 52 });
    expect(trialBalances[0]).toMatchObject({ number: 1, round: null });
  });

  it('comes with the ended rounds', async () => {
    expect(await read<AuditRoundsResponse>('rounds')).toEqual({
      rounds: [{ roundId: 1, endedNumber: newest('RoundEnded').number, endedAtMs: expect.any(Number) }],
      firstAtMs: ledger.at(-1)?.atMs,
      lastNumber: ledger.length,
    });
  });
});

describe('the auditor’s command', () => {
  const printed = { events: 1, chain: 'c', heads: 0, findingCount: 1 };

  async function run(script: string, stopping = new AbortController().signal) {
    const folder = await mkdtemp(join(tmpdir(), 'audit-'));
    const command = join(folder, 'main.cjs');
    await writeFile(command, script);
    const stores = { EVENT_STORE_URL: 'the log', DATABASE_URL: 'the tables' };
    return runAuditor(command, stores, stopping).finally(() => rm(folder, { recursive: true }));
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

describe('a verification', () => {
  const found = { events: 4, findingCount: 0, findings: [] } as unknown as AuditVerdict;
  let verifying: jest.SpyInstance;

  beforeAll(() => {
    verifying = jest.spyOn(application.api.app.get(Verification), 'verify');
  });

  const state = async () => (await ok(auditor.visitor.get<AuditVerification>(PATH))).body;

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
    const started = await auditor.visitor.post<AuditVerification>(PATH);
    expect(started).toMatchObject({ status: 202, body: { state: 'running', startedAtMs: expect.any(Number) } });
    expect((await auditor.visitor.post(PATH)).body).toEqual(started.body);
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
    await ok(auditor.visitor.post(PATH));
    expect((await finished()).verdict).toMatchObject({ findingCount: 101, findings: { length: 100 } });
  });

  it('reports a failed replay, and keeps the last verdict', async () => {
    verifying.mockRejectedValue(new Error('no log'));
    await ok(auditor.visitor.post(PATH));
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
    await ok(auditor.visitor.post(PATH));
    const verification = application.api.app.get(Verification);
    await application.api.app.get(Background).beforeApplicationShutdown();
    expect(verification.latest.state).toBe('failed');
  });
});
