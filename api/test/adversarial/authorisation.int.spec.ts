import type { InvoiceResponse } from '../../../contracts/http/payments.js';
import { POWERS, type Power } from '../../../contracts/ids.js';
import { NO_LIMITS } from '../../../contracts/protection.js';
import { AppModule } from '../../src/app.module.js';
import { routesOf } from '../../src/http/openapi.js';
import type { Visitor } from '../visitor.js';
import { type Person, readAfter, WholeApplication } from '../whole-application.js';

/** 'in': admitted, whatever the game's rules then decide. Otherwise the status of the refusal. */
type Outcome = 'in' | 401 | 403 | 404;

const CALLERS = ['visitor', 'owner', 'other', 'auditor', 'admin'] as const;
type Caller = (typeof CALLERS)[number] | Power;

/** The expected access of each of CALLERS, in their order, when the request names the owner's ids. */
type Outcomes = readonly [Outcome, Outcome, Outcome, Outcome, Outcome];
const EVERYONE: Outcomes = ['in', 'in', 'in', 'in', 'in'];
const LOGGED_IN: Outcomes = [401, 'in', 'in', 'in', 'in'];
const OWN: Outcomes = [401, 'in', 403, 403, 403];
const OWN_OR_ADMIN: Outcomes = [401, 'in', 403, 403, 'in'];
const ADMIN: Outcomes = [401, 403, 403, 403, 'in'];
const AUDITOR_OR_ADMIN: Outcomes = [401, 403, 403, 'in', 'in'];
const STAFF = AUDITOR_OR_ADMIN;
const NOBODY: Outcomes = [401, 401, 401, 401, 401];

interface Row {
  outcomes: Outcomes;
  /** Operators with one of these powers are admitted too; all other operators are as another gamer. */
  powers?: readonly Power[];
  /** The value of the path's parameter; default: the owner's id. */
  id?: 'owner' | 'victim' | 'order' | 'nothing';
  /** A body that passes validation, for routes that check ids after it; made from the gamer it names. */
  body?: (named: string) => object;
  headers?: Record<string, string>;
  /** Auditors and operators are refused for themselves too (decisions 47, 50). */
  isPlay?: true;
}

const wallet = { cryptoType: 'BTC', walletAddress: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' };
const subscription = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/any',
  p256dh: `B${'A'.repeat(86)}`,
  auth: 'A'.repeat(22),
};
const abroad = { 'x-forwarded-for': '203.0.113.9' };

const ROWS: Record<string, Row> = {
  'POST /api/register': { outcomes: EVERYONE },
  'POST /api/login': { outcomes: EVERYONE },
  'GET /api/auth/status': { outcomes: EVERYONE },
  'GET /api/ref/{code}': { outcomes: EVERYONE },
  'POST /api/request-password-reset': { outcomes: EVERYONE },
  'POST /api/reset-password': { outcomes: EVERYONE },
  'POST /api/reset-password/check': { outcomes: EVERYONE },
  'POST /api/account/password': { outcomes: LOGGED_IN },
  'POST /api/account/email': { outcomes: LOGGED_IN },
  'POST /api/account/email/confirm': { outcomes: EVERYONE },
  'GET /api/account/sessions': { outcomes: LOGGED_IN },
  'DELETE /api/account/sessions/{id}': { outcomes: LOGGED_IN },

  'GET /api/state': { outcomes: EVERYONE },
  'GET /api/stats': { outcomes: EVERYONE },
  'GET /api/winners': { outcomes: EVERYONE },
  'GET /api/public-record': { outcomes: EVERYONE },
  'GET /api/public-record/adjustments': { outcomes: EVERYONE },
  'GET /api/purchases/recent': { outcomes: EVERYONE },
  'GET /api/purchases/late': { outcomes: LOGGED_IN },
  'GET /api/rounds/{roundId}': { outcomes: EVERYONE, id: 'nothing' },
  'GET /api/community/posts': { outcomes: EVERYONE },
  'GET /log/checkpoint': { outcomes: EVERYONE },
  'GET /log/checkpoint/witnessed': { outcomes: EVERYONE },
  'GET /log/*': { outcomes: EVERYONE },
  'GET /api/ledger/key': { outcomes: EVERYONE },
  'GET /api/ledger/events/{revision}/proof': { outcomes: EVERYONE },
  'GET /api/ledger/rounds/{roundId}/proof': { outcomes: EVERYONE },
  'GET /api/health': { outcomes: EVERYONE },
  'GET /api/health/live': { outcomes: EVERYONE },
  'GET /api/metrics': { outcomes: [404, 404, 404, 404, 404], headers: abroad },

  'GET /api/gamer/{id}': { outcomes: OWN_OR_ADMIN },
  'GET /api/gamer/{id}/movements': { outcomes: OWN_OR_ADMIN, powers: ['money'] },
  'GET /api/genealogy/{id}': { outcomes: OWN_OR_ADMIN },
  'GET /api/genealogy/{id}/find': { outcomes: OWN_OR_ADMIN },
  'GET /api/genealogy/{id}/levels/{level}': { outcomes: OWN_OR_ADMIN },
  'GET /api/genealogy/{id}/direct-referrals': { outcomes: OWN_OR_ADMIN },
  'GET /api/gamer/{id}/withdrawals': { outcomes: OWN_OR_ADMIN },
  'GET /api/gamer/{id}/crypto-wallets': { outcomes: OWN },
  'POST /api/gamer/{id}/crypto-wallets': { outcomes: OWN, body: () => wallet },
  'POST /api/gamer/{id}/withdraw': { outcomes: OWN, isPlay: true, body: () => ({ ...wallet, amountCents: 1_000 }) },
  'POST /api/gamer/{id}/withdrawals/{withdrawalId}/cancel': { outcomes: OWN },
  'POST /api/gamer/{id}/transfer-to-purchase': { outcomes: OWN, body: () => ({ amountCents: 1 }) },

  'GET /api/gamer/{id}/protection': { outcomes: OWN_OR_ADMIN, powers: ['support'] },
  'POST /api/gamer/{id}/exclusion': { outcomes: OWN, body: () => ({ kind: 'time-out', days: 2 }) },
  'PUT /api/gamer/{id}/limits': { outcomes: OWN, body: () => NO_LIMITS },
  'POST /api/gamer/{id}/limits/confirm': { outcomes: OWN },
  'POST /api/gamer/{id}/exclusion/lift': { outcomes: OWN },
  'POST /api/gamer/{id}/release-balance': { outcomes: OWN },

  'GET /api/play-session': { outcomes: LOGGED_IN },
  'POST /api/play-session/answer': { outcomes: LOGGED_IN },
  'PUT /api/play-session/reality-check': { outcomes: LOGGED_IN, body: () => ({ everyMinutes: 30 }) },

  'POST /api/buy-from-balance': { outcomes: OWN, isPlay: true, body: (userId) => ({ userId, quantity: 1 }) },
  'POST /api/community/posts': { outcomes: OWN, body: (gamerId) => ({ gamerId, message: 'Hello' }) },
  'POST /api/support/tickets': { outcomes: OWN, body: (gamerId) => ({ gamerId, subject: 'Help', message: 'Please' }) },
  'POST /api/support/tickets/{id}/messages': { outcomes: LOGGED_IN, id: 'nothing', body: () => ({ message: 'Hi' }) },
  'GET /api/support/tickets': { outcomes: LOGGED_IN },
  'POST /api/create-invoice': {
    outcomes: OWN,
    isPlay: true,
    body: (userId) => ({ userId, quantity: 100, currency: 'BTC' }),
  },
  'POST /api/create-deposit-invoice': {
    outcomes: OWN,
    isPlay: true,
    body: (userId) => ({ userId, amount: 50, currency: 'BTC' }),
  },
  'GET /api/reminders/key': { outcomes: EVERYONE },
  'PUT /api/reminders': { outcomes: [401, 'in', 'in', 'in', 403], body: () => subscription },
  'DELETE /api/reminders': { outcomes: LOGGED_IN },
  'GET /api/coin-minimums': { outcomes: LOGGED_IN },
  'GET /api/gamer/{id}/open-invoices': { outcomes: OWN_OR_ADMIN },
  'GET /api/gamer/{id}/payments-in-review': { outcomes: OWN_OR_ADMIN },
  'GET /api/payments/{orderId}': { outcomes: OWN_OR_ADMIN, id: 'order' },
  'POST /api/payments/ipn': { outcomes: NOBODY },

  'GET /api/admin/timers': { outcomes: ADMIN, powers: ['game'] },
  'POST /api/admin/timers': { outcomes: ADMIN, powers: ['game'] },
  'POST /api/admin/game/start': { outcomes: ADMIN, powers: ['game'] },
  'POST /api/admin/game/start-live': { outcomes: ADMIN, powers: ['game'] },
  'POST /api/admin/game/schedule': { outcomes: ADMIN, powers: ['game'] },
  'POST /api/admin/game/schedule/cancel': { outcomes: ADMIN, powers: ['game'] },
  'POST /api/admin/game/reset': { outcomes: ADMIN, powers: ['game'] },
  'GET /api/admin/withdrawals': { outcomes: ADMIN, powers: ['money'] },
  'PUT /api/admin/withdrawals/{id}': { outcomes: ADMIN, powers: ['money'], id: 'nothing' },
  'GET /api/admin/payouts': { outcomes: ADMIN, powers: ['money'] },
  'POST /api/admin/payouts': { outcomes: ADMIN, powers: ['money'] },
  'GET /api/admin/losses/payouts': { outcomes: ADMIN, powers: ['money'] },
  'POST /api/admin/losses/payouts/{id}/settle': { outcomes: ADMIN, powers: ['money'], id: 'nothing' },
  'POST /api/admin/losses/release': { outcomes: ADMIN, powers: ['money'] },
  'GET /api/admin/gamers/{id}/history': { outcomes: ADMIN, powers: ['support'] },
  'GET /api/admin/exclusions': { outcomes: ADMIN, powers: ['support'] },
  'GET /api/admin/limits': { outcomes: ADMIN, powers: ['support'] },
  'GET /api/admin/profits': { outcomes: ADMIN },
  'GET /api/admin/profits/withdrawals': { outcomes: ADMIN },
  'POST /api/admin/profits/withdraw': { outcomes: ADMIN },
  'PUT /api/admin/profits/withdrawals/{id}': { outcomes: ADMIN, id: 'nothing' },
  'GET /api/admin/deposits/pending': { outcomes: ADMIN, powers: ['money'] },
  'GET /api/admin/deposits/approved': { outcomes: ADMIN, powers: ['money'] },
  'GET /api/admin/deposits/rejected': { outcomes: ADMIN, powers: ['money'] },
  'GET /api/admin/payments/changed': { outcomes: ADMIN, powers: ['money'] },
  'POST /api/admin/lookup-payment': { outcomes: ADMIN, powers: ['money'] },
  'POST /api/admin/approve-deposit': { outcomes: ADMIN, powers: ['money'] },
  'POST /api/admin/reject-deposit': { outcomes: ADMIN, powers: ['money'] },
  'GET /api/admin/support/tickets': { outcomes: ADMIN, powers: ['support'] },
  'PUT /api/admin/support/tickets/{id}': { outcomes: ADMIN, powers: ['support'], id: 'nothing' },
  'DELETE /api/admin/community/posts/{id}': { outcomes: ADMIN, powers: ['community'], id: 'nothing' },
  'GET /api/admin/mini/gamers': { outcomes: ADMIN, powers: ['money', 'support'] },
  'POST /api/admin/mini/gamers/{id}/adjust': { outcomes: ADMIN, powers: ['money'] },
  'POST /api/admin/mini/gamers/{id}/depositor-status': { outcomes: ADMIN, powers: ['money'] },
  'PATCH /api/admin/mini/gamers/{id}/profile': { outcomes: ADMIN },
  'POST /api/admin/mini/gamers/{id}/reset-password': { outcomes: ADMIN },
  'POST /api/admin/mini/gamers/{id}/role': { outcomes: ADMIN },
  'DELETE /api/admin/gamers/{id}': { outcomes: ADMIN, id: 'victim' },

  'GET /api/audit/ledger': { outcomes: AUDITOR_OR_ADMIN },
  'GET /api/audit/trial-balances/{number}': { outcomes: AUDITOR_OR_ADMIN },
  'GET /api/audit/rounds': { outcomes: AUDITOR_OR_ADMIN },
  'GET /api/audit/events/{number}': { outcomes: AUDITOR_OR_ADMIN },
  'GET /api/audit/statements': { outcomes: AUDITOR_OR_ADMIN },
  'GET /api/audit/verification': { outcomes: AUDITOR_OR_ADMIN },
  'POST /api/audit/verification': { outcomes: AUDITOR_OR_ADMIN },

  'GET /api/admin/security-events': { outcomes: ADMIN },
  'GET /api/staff/second-factor': { outcomes: STAFF, powers: POWERS },
  'POST /api/staff/second-factor/begin': { outcomes: STAFF, powers: POWERS },
  'POST /api/staff/second-factor/confirm': { outcomes: STAFF, powers: POWERS },
  'POST /api/staff/step-up': { outcomes: STAFF, powers: POWERS },
  'POST /api/staff/activity': { outcomes: STAFF, powers: POWERS },

  // Last, because it ends sessions.
  'POST /api/logout': { outcomes: EVERYONE },
};

const application = WholeApplication.forTests({}, { payments: {} });
const callers = {} as Record<Exclude<Caller, 'visitor'>, Person>;
const ALL_CALLERS: readonly Caller[] = [...CALLERS, ...POWERS];
const ids: Record<NonNullable<Row['id']>, string> = { owner: '', victim: '', order: '', nothing: 'nothing' };

beforeAll(async () => {
  callers.admin = await application.admin();
  callers.owner = await application.register('the-owner');
  callers.other = await application.register('another');
  callers.auditor = await application.register('an-auditor');
  const setRole = async ({ id }: Person, role: object) =>
    expect((await callers.admin.visitor.post(`/api/admin/mini/gamers/${id}/role`, role)).status).toBe(200);
  await setRole(callers.auditor, { role: 'auditor' });
  for (const power of POWERS) {
    callers[power] = await application.register(`with-${power}`);
    await setRole(callers[power], { role: 'operator', powers: [power] });
  }
  ids.owner = callers.owner.id;
  ids.victim = (await application.register('a-victim')).id;
  const order = { userId: ids.owner, amount: 50, currency: 'BTC' };
  const ordered = await callers.owner.visitor.post<InvoiceResponse>('/api/create-deposit-invoice', order);
  ids.order = ordered.body.orderId;
  await readAfter(callers.owner.visitor, ordered, `/api/payments/${ids.order}`);
});

const visitorOf = (caller: Caller): Visitor => (caller === 'visitor' ? application.visitor() : callers[caller].visitor);

async function ask(caller: Caller, route: string, { headers = {} }: Row, id: string, body: object): Promise<Outcome> {
  const [method = '', path = ''] = route.split(' ');
  const at = path.replace('{level}', '1').replace(/\{\w+\}/, id);
  const sent = method === 'GET' ? undefined : body;
  const { status } = await visitorOf(caller).send<{ error?: string }>(method, at, sent, headers);
  expect(status).toBeLessThan(500);
  const isRefused = status === 401 || status === 403 || (status === 404 && headers === abroad);
  return isRefused ? status : 'in';
}

it('has a row for every route, and no route is undocumented', () => {
  const described = routesOf(AppModule).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(Object.keys(ROWS).sort()).toEqual([...described].sort());
  const served = servedRoutes(application.api.app.getHttpAdapter().getInstance().printRoutes());
  expect(served.filter((one) => !one.startsWith('GET /api/docs')).sort()).toEqual([...described].sort());
});

/** 'METHOD path' of each route in Fastify's printed tree, in which a path continues that of the line above it. */
function servedRoutes(tree: string): string[] {
  const parents: string[] = [];
  return tree
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', segment = '', methods = ''] = /^(.*)── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
      const depth = Math.floor(indent.length / 4);
      const path = (parents[depth - 1] ?? '') + segment;
      parents.splice(depth, Number.POSITIVE_INFINITY, path);
      const served = methods.split(', ').filter((method) => method !== '' && method !== 'HEAD');
      return served.map((method) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    });
}

function expectedOf(caller: Caller, { outcomes, powers = [] }: Row): Outcome {
  const index = (CALLERS as readonly Caller[]).indexOf(caller);
  if (index >= 0) return outcomes[index] as Outcome;
  return powers.includes(caller as Power) ? 'in' : (outcomes[CALLERS.indexOf('other')] as Outcome);
}

it.each(Object.entries(ROWS).filter(([route]) => route !== 'POST /api/logout'))(
  '%s with the owner’s ids in path and body',
  async (route, row) => {
    const outcomes: Record<string, Outcome> = {};
    const body = row.body?.(ids.owner) ?? {};
    for (const caller of ALL_CALLERS) outcomes[caller] = await ask(caller, route, row, ids[row.id ?? 'owner'], body);
    expect(outcomes).toEqual(Object.fromEntries(ALL_CALLERS.map((caller) => [caller, expectedOf(caller, row)])));
  },
);

const OWN_ROWS = Object.entries(ROWS).filter(
  ([, { outcomes, id }]) => (outcomes === OWN || outcomes === OWN_OR_ADMIN) && id !== 'order',
);

it.each(OWN_ROWS)(
  '%s with ids that contradict each other: only the id that the route reads decides',
  async (route, row) => {
    for (const caller of ['other', 'auditor', ...POWERS] as const) {
      const own = callers[caller].id;
      const inPath = route.includes('{');
      const both = { gamerId: inPath ? own : ids.owner, userId: inPath ? own : ids.owner };
      const foreign = { ...row.body?.(ids.owner), ...both };
      // The owner's id in the deciding place, the caller's elsewhere.
      const isAllowed = row.powers?.some((power) => power === caller);
      expect(await ask(caller, route, row, inPath ? ids.owner : own, foreign)).toBe(isAllowed ? 'in' : 403);
      // The caller's id in the deciding place, the owner's elsewhere.
      const swapped = inPath ? { gamerId: ids.owner, userId: ids.owner } : {};
      const expected = caller !== 'other' && row.isPlay ? 403 : 'in';
      expect(await ask(caller, route, row, inPath ? own : ids.owner, { ...row.body?.(own), ...swapped })).toBe(
        expected,
      );
    }
  },
);

it('refuses the session of a deleted gamer everywhere', async () => {
  const { outcomes } = ROWS['POST /api/logout'] as Row;
  for (const [i, caller] of CALLERS.entries()) {
    expect(await ask(caller, 'POST /api/logout', { outcomes }, '', {})).toBe(outcomes[i]);
    expect(await ask(caller, 'GET /api/support/tickets', { outcomes }, '', {})).toBe(401);
  }
});
