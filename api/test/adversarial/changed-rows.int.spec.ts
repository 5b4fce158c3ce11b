/*
 * A thief can write to Postgres, and plays as a gamer. Each test changes, copies or inserts rows there: nobody gets a
 * power or another's account by it, it is logged and counted, and the honest go on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { base32nopad } from '@scure/base';
import { Client } from 'pg';
import type { GamerSession } from '../../../contracts/http/accounts.js';
import type { ErrorBody } from '../../../contracts/http/headers.js';
import type { EnrolmentResponse } from '../../../contracts/http/staff.js';
import { AccountsStore } from '../../src/accounts/accounts.store.js';
import { tokenHashOf } from '../../src/accounts/mailed-token.js';
import { SignInTrail } from '../../src/accounts/sign-in-trail.store.js';
import { totpCode } from '../../src/accounts/totp.js';
import { RemoveGamerHandler } from '../../src/gamers/remove-gamer.handler.js';
import { Clock } from '../../src/platform/clock.js';
import { RowSeals } from '../../src/platform/row-seals.js';
import {
  ADMIN_PASSWORD,
  type RunningApi,
  type Stores,
  startApi,
  startStores,
} from '../../src/testing/api-under-test.js';
import { changeSealed } from '../../src/testing/change-sealed.js';
import { Visitor } from '../../src/testing/visitor.js';

const PASSWORD = 'open sesame';
const NEW_PASSWORD = 'the thief chose this';
const TOKEN = 'a token that the thief knows';
const RECOVERY_CODE = 'THIEF-KNOWS-THIS-CODE';

let stores: Stores;
let api: RunningApi;
let postgres: Client;
let admin: Visitor;
let thief: Visitor;
let honest: Visitor;
const ids = { admin: '', thief: '', honest: '' };
let recording: jest.SpiedFunction<SignInTrail['record']>;
let secret: Buffer;
/** The sealed secret of the authenticator that the admin had before. */
let formerSecret: Buffer;
/** Added to the time of day, so that each code is a new one. */
let laterMs = 0;

beforeAll(async () => {
  stores = await startStores();
  api = await startApi(stores);
  recording = jest.spyOn(api.app.get(SignInTrail), 'record');
  jest.spyOn(api.app.get(Clock), 'now').mockImplementation(() => Date.now() + laterMs);
  postgres = new Client({ connectionString: stores.databaseUrl });
  await postgres.connect();
  const register = async (username: string, visitor: Visitor): Promise<string> => {
    const body = { username, email: `${username}@example.com`, password: PASSWORD };
    return (await visitor.post<GamerSession>('/api/register', body)).body.id;
  };
  [admin, thief, honest] = [new Visitor(api.url), new Visitor(api.url), new Visitor(api.url)];
  ids.admin = (await logIn('admin', ADMIN_PASSWORD, '', admin)).body.id;
  ids.thief = await register('thief', thief);
  ids.honest = await register('honest', honest);
  await enrol();
  formerSecret = (await rows('SELECT secret FROM auth.second_factors'))[0].secret;
  await enrol();
});

afterAll(async () => {
  await postgres?.end();
  await api?.close();
  await stores?.close();
});

// biome-ignore lint/suspicious/noExplicitAny: rows of many tables
const rows = async (sql: string, ...parameters: unknown[]): Promise<any[]> =>
  (await postgres.query(sql, parameters)).rows;

const code = (): string => {
  laterMs += 60_000;
  return totpCode(secret, Date.now() + laterMs);
};

async function enrol(): Promise<void> {
  const step = { password: ADMIN_PASSWORD };
  const begun = await admin.post<EnrolmentResponse>('/api/staff/second-factor/begin', step);
  expect(begun.status).toBe(200);
  secret = Buffer.from(base32nopad.decode(begun.body.secret));
  expect((await admin.post('/api/staff/second-factor/confirm', { code: code() })).status).toBe(200);
}

const logIn = (username: string, password: string, withCode = '', as = new Visitor(api.url)) =>
  as.post<GamerSession & ErrorBody>('/api/login', { username, password, code: withCode });

const sidOf = (visitor: Visitor): string =>
  /^s:(.+)\./.exec(decodeURIComponent(visitor.cookie('omni.sid') as string))?.[1] as string;

/** The status, with the code of a refusal. */
async function outcome(answer: Promise<{ status: number; body: unknown }>): Promise<string> {
  const { status, body } = await answer;
  const refused = (body ?? {}) as Partial<ErrorBody>;
  return refused.code === undefined ? String(status) : `${status} ${refused.code}`;
}

const asAdmin = (visitor: Visitor) => outcome(visitor.get('/api/admin/sign-ins'));
const withTokenOf = (path: string) => (body: object) => outcome(new Visitor(api.url).post(path, body));
const reset = () =>
  withTokenOf('/api/reset-password')({ token: TOKEN, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD });
const confirmEmail = () => withTokenOf('/api/account/email/confirm')({ token: TOKEN });

async function refusedIn(table: string): Promise<number> {
  const metrics = await (await fetch(`${api.url}/api/metrics`)).text();
  return Number(new RegExp(`rows_not_genuine_total\\{table="${table}"\\} (\\d+)`).exec(metrics)?.[1]);
}

/** The tables of the refused rows in the trail of sign-ins. */
const reported = new Set<string>();

/** Lets the node read all rows again; it keeps a missing one in memory for two seconds. */
async function forgetAll(): Promise<void> {
  await postgres.query(`SELECT pg_notify('auth_sessions', ''), pg_notify('auth_accounts', '')`);
  await sleep(100);
}

/** Everything that the tests change, as it was. */
const TABLES = [
  'accounts',
  'sessions',
  'second_factors',
  'recovery_codes',
  'password_resets',
  'email_changes',
  'removals',
];
async function restoring(work: () => Promise<void>): Promise<void> {
  for (const table of TABLES) await postgres.query(`CREATE TEMP TABLE kept_${table} AS SELECT * FROM auth.${table}`);
  try {
    await work();
  } finally {
    for (const table of [...TABLES].reverse()) await postgres.query(`DELETE FROM auth.${table}`);
    for (const table of TABLES) {
      await postgres.query(`INSERT INTO auth.${table} SELECT * FROM kept_${table}`);
      await postgres.query(`DROP TABLE kept_${table}`);
    }
    await forgetAll();
  }
}

interface Attack {
  name: string;
  /** The table whose refused rows count the change. */
  table: string;
  change: [sql: string, ...parameters: (() => unknown)[]][];
  attempt: () => Promise<string>;
  expected: string;
}

const accountOf = (who: keyof typeof ids) => () => ids[who];
const thiefAsAdmin = { attempt: () => asAdmin(thief), expected: '401 not-logged-in' };
const adminAsBefore = { attempt: () => asAdmin(admin), expected: '401 not-logged-in' };

const attacks: Attack[] = [
  {
    name: 'a role',
    table: 'accounts',
    change: [[`UPDATE auth.accounts SET role = 'admin' WHERE gamer_id = $1`, accountOf('thief')]],
    ...thiefAsAdmin,
  },
  {
    name: 'a role, with the seal of the admin’s account',
    table: 'accounts',
    change: [
      [
        `UPDATE auth.accounts SET role = 'admin', seal = (SELECT seal FROM auth.accounts WHERE gamer_id = $2) WHERE gamer_id = $1`,
        accountOf('thief'),
        accountOf('admin'),
      ],
    ],
    ...thiefAsAdmin,
  },
  {
    name: 'a role, without a seal, as if the row were of an earlier release',
    table: 'accounts',
    change: [[`UPDATE auth.accounts SET role = 'admin', seal = NULL WHERE gamer_id = $1`, accountOf('thief')]],
    ...thiefAsAdmin,
  },
  {
    name: 'a password hash',
    table: 'accounts',
    change: [
      [
        `UPDATE auth.accounts SET second_factor = NULL,
           password_hash = (SELECT password_hash FROM auth.accounts WHERE gamer_id = $2) WHERE gamer_id = $1`,
        accountOf('admin'),
        accountOf('thief'),
      ],
    ],
    attempt: () => outcome(logIn('admin', PASSWORD)),
    expected: '401 invalid-credentials',
  },
  {
    name: 'a GamerTag, so that the thief’s own password opens the admin’s name',
    table: 'accounts',
    change: [
      [`UPDATE auth.accounts SET gamer_tag = 'former' WHERE gamer_id = $1`, accountOf('admin')],
      [`UPDATE auth.accounts SET gamer_tag = 'admin', role = 'admin' WHERE gamer_id = $1`, accountOf('thief')],
    ],
    attempt: () => outcome(logIn('admin', PASSWORD)),
    expected: '401 invalid-credentials',
  },
  {
    name: 'an email, to which a reset link would go',
    table: 'accounts',
    change: [[`UPDATE auth.accounts SET email = 'new@example.com' WHERE gamer_id = $1`, accountOf('honest')]],
    attempt: () => outcome(honest.get('/api/account/sessions')),
    expected: '401 not-logged-in',
  },
  {
    name: 'a second factor taken from the account',
    table: 'accounts',
    change: [[`UPDATE auth.accounts SET second_factor = NULL WHERE gamer_id = $1`, accountOf('admin')]],
    attempt: () => outcome(logIn('admin', ADMIN_PASSWORD)),
    expected: '401 invalid-credentials',
  },
  {
    name: 'an account of its own making',
    table: 'accounts',
    change: [
      [
        `INSERT INTO auth.accounts (gamer_id, gamer_tag, email, password_hash, role, ref_code, enrolled, created_at, seal)
         SELECT 'aaaaaaaaaaaa', 'second-admin', 'second@example.com', password_hash, 'admin', 'SECOND', true, created_at, seal
         FROM auth.accounts WHERE gamer_id = $1`,
        accountOf('thief'),
      ],
    ],
    attempt: () => outcome(logIn('second-admin', PASSWORD)),
    expected: '401 invalid-credentials',
  },
  {
    name: 'the account of a session',
    table: 'sessions',
    change: [
      [
        `UPDATE auth.sessions SET sess = jsonb_set(sess::jsonb, '{gamerId}', to_jsonb($2::text)), ends_at = now() + interval '1 h',
           proved_at = now(), has_second_factor = true WHERE sid = $1`,
        () => sidOf(thief),
        accountOf('admin'),
      ],
    ],
    ...thiefAsAdmin,
  },
  {
    name: 'the id of the admin’s session',
    table: 'sessions',
    change: [
      ['DELETE FROM auth.sessions WHERE sid = $1', () => sidOf(thief)],
      ['UPDATE auth.sessions SET sid = $1 WHERE sid = $2', () => sidOf(thief), () => sidOf(admin)],
    ],
    ...thiefAsAdmin,
  },
  ...['proved_at', 'expire', 'ends_at'].map((column) => ({
    name: `the time ${column} of a session`,
    table: 'sessions',
    change: [
      [`UPDATE auth.sessions SET ${column} = ${column} + interval '1 h' WHERE sid = $1`, () => sidOf(admin)],
    ] as Attack['change'],
    ...adminAsBefore,
  })),
  {
    name: 'whether a session proved a second factor',
    table: 'sessions',
    change: [['UPDATE auth.sessions SET has_second_factor = NOT has_second_factor WHERE sid = $1', () => sidOf(admin)]],
    ...adminAsBefore,
  },
  {
    name: 'a recovery code',
    table: 'recovery_codes',
    change: [
      [
        `INSERT INTO auth.recovery_codes (gamer_id, code_hash, seal)
         SELECT $1, sha256('THIEFKNOWSTHISCODE'), seal FROM auth.recovery_codes LIMIT 1`,
        accountOf('admin'),
      ],
    ],
    attempt: () => outcome(logIn('admin', ADMIN_PASSWORD, RECOVERY_CODE)),
    expected: '400 wrong-code',
  },
  {
    name: 'a reset token',
    table: 'password_resets',
    change: [
      [
        `INSERT INTO auth.password_resets (token_hash, gamer_id, expires_at) VALUES ($1, $2, now() + interval '1 h')`,
        () => tokenHashOf(TOKEN),
        accountOf('admin'),
      ],
    ],
    attempt: reset,
    expected: '400 invalid-reset-token',
  },
  {
    name: 'an email to confirm',
    table: 'email_changes',
    change: [
      [
        `INSERT INTO auth.email_changes (token_hash, gamer_id, email, expires_at)
         VALUES ($1, $2, 'mine@example.com', now() + interval '1 h')`,
        () => tokenHashOf(TOKEN),
        accountOf('admin'),
      ],
    ],
    attempt: confirmEmail,
    expected: '400 invalid-email-link',
  },
  {
    name: 'a removal in the admin’s name',
    table: 'removals',
    change: [
      [
        `INSERT INTO auth.removals (gamer_id, actor_id, command_id, begun_at) VALUES ($1, $2, 'removed', now() - interval '1 h')`,
        accountOf('honest'),
        accountOf('admin'),
      ],
    ],
    attempt: async () => {
      await api.app.get(RemoveGamerHandler).sweep(new Date());
      return outcome(logIn('honest', PASSWORD));
    },
    expected: '200',
  },
];

describe('a thief who writes to Postgres gains nothing by', () => {
  it.each(attacks)('$name', async ({ table, change, attempt, expected }) => {
    const before = await refusedIn(table);
    await restoring(async () => {
      for (const [sql, ...parameters] of change)
        await postgres.query(
          sql,
          parameters.map((parameter) => parameter()),
        );
      // The node may have read a row between two of the changes.
      await forgetAll();
      expect(await attempt()).toBe(expected);
      expect(await refusedIn(table)).toBeGreaterThan(before);
      await Promise.all(recording.mock.results.map(({ value }) => value));
      for (const { detail } of await rows(`SELECT detail FROM auth.sign_ins WHERE type = 'row-refused'`))
        reported.add(detail);
      // Another gamer goes on.
      const other = table === 'removals' ? 'thief' : 'honest';
      if (!change.some(([, ...parameters]) => parameters.some((parameter) => parameter() === ids[other])))
        expect(await outcome(logIn(other, PASSWORD))).toBe('200');
    });
    // With the former values the former seals fit.
    expect(await asAdmin(admin)).toBe('200');
    expect(await outcome(honest.get('/api/account/sessions'))).toBe('200');
  });

  it('a deleted second factor, or the admin’s former one: the present one stays required', async () => {
    await restoring(async () => {
      await postgres.query('DELETE FROM auth.second_factors');
      expect(await outcome(logIn('admin', ADMIN_PASSWORD))).toBe('401 second-factor-code-required');
      expect(await outcome(logIn('admin', ADMIN_PASSWORD, code()))).toBe('400 wrong-code');
    });
    await restoring(async () => {
      await postgres.query('UPDATE auth.second_factors SET secret = $1', [formerSecret]);
      expect(await outcome(logIn('admin', ADMIN_PASSWORD, code()))).toBe('400 wrong-code');
    });
    expect(await outcome(logIn('admin', ADMIN_PASSWORD, code()))).toBe('200');
  });

  it('a former row of an auditor: the ledger and the log say who is staff', async () => {
    const setRole = (role: string) =>
      admin.post(`/api/admin/mini/gamers/${ids.thief}/role`, { role }).then(({ status }) => expect(status).toBe(200));
    await setRole('auditor');
    const [former] = await rows('SELECT role, seal FROM auth.accounts WHERE gamer_id = $1', ids.thief);
    expect(await outcome(thief.get('/api/admin/sign-ins'))).toBe('403 admin-only');
    await setRole('gamer');
    await postgres.query('UPDATE auth.accounts SET role = $2, seal = $3 WHERE gamer_id = $1', [
      ids.thief,
      former.role,
      former.seal,
    ]);
    await sleep(100);
    expect(await outcome(thief.get('/api/account/sessions'))).toBe('401 not-logged-in');
  });

  it('a session that a changed password has ended', async () => {
    const own = new Visitor(api.url);
    await logIn('honest', PASSWORD, '', own);
    const [former] = await rows('SELECT * FROM auth.sessions WHERE sid = $1', sidOf(own));
    const change = { currentPassword: PASSWORD, newPassword: 'open barley', confirmPassword: 'open barley' };
    expect((await honest.post('/api/account/password', change)).status).toBe(200);
    await forgetAll();
    await postgres.query(
      `INSERT INTO auth.sessions (sid, sess, expire, ends_at, proved_at, has_second_factor, seal)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [former.sid, former.sess, former.expire, former.ends_at, former.proved_at, former.has_second_factor, former.seal],
    );
    expect(await outcome(own.get('/api/account/sessions'))).toBe('401 not-logged-in');
    expect(await outcome(honest.get('/api/account/sessions'))).toBe('200');
  });
});

it('the trail of sign-ins lists refused rows', async () => {
  expect([...reported].sort()).toEqual([
    'accounts',
    'email_changes',
    'password_resets',
    'recovery_codes',
    'removals',
    'sessions',
  ]);
});

it('a changed row is not sealed by the next honest change of it', async () => {
  await postgres.query(`UPDATE auth.accounts SET email = 'new@example.com' WHERE gamer_id = $1`, [ids.honest]);
  const change = api.app.get(AccountsStore).change(ids.honest, { gamerTag: 'renamed' }, async () => ({}));
  await expect(change).rejects.toMatchObject({ refusal: { code: 'gamer-not-found' } });
  await changeSealed(stores.databaseUrl, api.app.get(RowSeals), 'SELECT 1');
});
