import fc from 'fast-check';
import type { AuthStatus } from '../../../contracts/http/gamers.js';
import { POWERS } from '../../../contracts/ids.js';
import { SOCKET_PATH } from '../../../contracts/live.js';
import { caseCount } from '../../../contracts/testing/case-count.js';
import { words } from '../../../contracts/words.js';
import { AppModule } from '../../src/app.module.js';
import { type Route, routesOf, type Schema, schemaOfClass } from '../../src/http/openapi.js';
import { codeOf, type Visitor } from '../visitor.js';
import { isAccepted, openSocket, type Person, WholeApplication } from '../whole-application.js';

/** Generated requests per route, and to the sockets. */
const REQUESTS = caseCount(5, 2_000);
/** A request without a response within this time counts as hanging; the value proves no speed. */
const TIMEOUT_MS = 30_000;

jest.setTimeout(60_000 + REQUESTS * 2_000);

const routes = routesOf(AppModule);

const application = WholeApplication.forTests({}, { payments: {} });
const admin = application.adminForTests();
let auditor: Person;
let operator: Person;
let gamer: Person;

beforeAll(async () => {
  auditor = await newStaff('auditor');
  operator = await newStaff('operator');
  gamer = await newGamer();
});

/** Texts like code or like another type, of other alphabets, empty, or that end a text. */
const ODD_TEXTS = [
  ...['', ' ', '\0', '\ud800', "'; DROP TABLE gamers; --", '9'.repeat(400), '٣', '{{7*7}}', '<script>', '\r\nX: y'],
  ...words('__proto__ constructor % %00 ../.. $all null -1 1e400 0x10 NaN'),
];

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ maxLength: 3_000 }),
  fc.constantFrom(...ODD_TEXTS),
);

const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: anyText },
  { weight: 2, arbitrary: fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger()) },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, -1, 0.1, 1e308, 2 ** 31, 2 ** 53, 2 ** 63, 2 ** 64) },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], { length: -1 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

/** Placeholder for the gamer's id, which is known only after the registration. */
const gamerId = ':gamer';

/** Plausible values for fields of that name, so that requests pass the validation. */
const RIGHT: Record<string, string> = {
  gamerId,
  userId: gamerId,
  walletAddress: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  email: 'gamer@example.com',
  username: 'gamer-1',
  gamerTag: 'gamer-1',
  password: 'open sesame',
  gamer: 'gamer-1',
  find: 'gamer-1',
  from: '2025-10-14',
  to: '2025-11-14',
};

function fitting(name: string, schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') {
    const max = Math.min(schema.maximum ?? 10_000_000, 2 ** 31 - 1);
    return fc.oneof(fc.integer({ min: schema.minimum ?? -1_000, max }), fc.constant(schema.minimum ?? 0));
  }
  const maxLength = schema.maxLength ?? 60;
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(RIGHT[name] ?? 'Some text') },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: schema.minLength ?? 0, maxLength }) },
  );
}

const wholly = (fields: [string, Schema][]) =>
  fc.tuple(...fields.map(([name, field]) => fitting(name, field).map((value): [string, unknown] => [name, value])));

/** Mostly valid except for one field: wrong, missing or extra. Sometimes any other JSON. */
function bodies(schema: Schema): fc.Arbitrary<string> {
  const fields = Object.entries(schema.properties ?? {}) as [string, Schema][];
  const names = ['__proto__', 'role', 'id', ...fields.map(([name]) => name)];
  const wrong = fc.record({ name: fc.constantFrom(...names), value: fc.option(anyValue, { nil: undefined }) });
  const object = fc.tuple(wholly(fields), fc.option(wrong, { freq: 4 })).map(([right, one]) => {
    const body = Object.fromEntries(right);
    if (one) Object.defineProperty(body, one.name, { value: one.value, enumerable: true, configurable: true });
    return JSON.stringify(body);
  });
  const brokenJson = fc.constantFrom(
    ...['{', '[1,', '{"a":1}}', '['.repeat(50_000), `${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`, ''],
    ...[`{"amountCents":${'9'.repeat(10_000)}}`, `{${'"amountCents":1000,'.repeat(5_000)}"amountCents":-1}`],
    ...['{"__proto__":{"role":"admin"}}', '{"a":{"constructor":1}}', `{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`],
  );
  return fc.oneof(
    { weight: 8, arbitrary: object },
    { weight: 1, arbitrary: anyValue.map((value) => JSON.stringify(value) ?? '') },
    { weight: 1, arbitrary: fc.oneof(anyText, brokenJson) },
  );
}

const headerText = anyText.map((text) =>
  text
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 500),
);

/** Mostly absent, otherwise unusual. */
const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  headerText.map((text) => ({ 'idempotency-key': text })),
  // Small positions only: the query would wait for a position that the tables have not reached.
  headerText.filter((text) => !/^\d{2,20}$/.test(text)).map((text) => ({ 'x-after-position': text })),
  headerText.map((text) => ({ 'x-nowpayments-sig': text })),
  fc
    .constantFrom('text/plain', 'application/json; charset=utf-7', 'application/x-www-form-urlencoded', 'x')
    .map((type) => ({ 'content-type': type })),
  fc.constantFrom('gzip', 'br', 'none').map((encoding) => ({ 'content-encoding': encoding })),
);

const segment = fc.oneof(
  { weight: 2, arbitrary: fc.constant(gamerId) },
  { weight: 3, arbitrary: anyText.map((text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '')) || '-') },
  { weight: 1, arbitrary: fc.constantFrom('%', '%ff', '%00', '%2e%2e', '..%2f', '%c0%af', '-'.repeat(4_000)) },
);

const queryName = fc.constantFrom(...words('page pageSize q days status listed about page=1&page __proto__ q[x]'));

interface MalformedRequest {
  who: Route['role'];
  path: string;
  body: unknown;
  headers: Record<string, string>;
}

function ownQueries({ query }: Route): fc.Arbitrary<string> {
  const fields = query ? Object.entries(schemaOfClass(query).properties) : [];
  if (fields.length === 0) return fc.constant('');
  const names = fields.map(([name]) => name);
  return fc.tuple(wholly(fields), fc.constantFrom(...names), segment).map(([right, wrong, odd]) => {
    const parts = right.map(([name, value]) => `${name}=${name === wrong ? odd : encodeURIComponent(String(value))}`);
    return `?${parts.join('&')}`;
  });
}

function requestsTo(route: Route): fc.Arbitrary<MalformedRequest> {
  const path = fc.tuple(...route.pathParameters.map(() => segment)).map((segments) => {
    const left = [...segments];
    return route.path.replaceAll(/\{\w+\}/g, () => left.shift() as string);
  });
  const query = fc.oneof(
    { weight: 2, arbitrary: fc.constant('') },
    { weight: 2, arbitrary: fc.tuple(queryName, segment).map(([name, value]) => `?${name}=${value}`) },
    { weight: 2, arbitrary: ownQueries(route) },
  );
  return fc.record({
    // Mostly the caller with the most rights.
    who: fc.oneof(
      { weight: 4, arbitrary: fc.constant(route.role) },
      fc.constantFrom('visitor', 'gamer', 'auditor', 'operator', 'admin'),
    ),
    path: fc.tuple(path, query).map(([pathname, search]) => pathname + search),
    body: route.method === 'get' ? fc.constant(undefined) : bodies(route.body ? schemaOfClass(route.body) : {}),
    headers: oddHeaders,
  });
}

async function expectOrderly(route: Route, { who, path, body, headers }: MalformedRequest): Promise<void> {
  const visitor = visitorOf(who);
  const named = (text: string) => text.replaceAll(gamerId, gamer.id);
  const sent = typeof body === 'string' ? named(body) : body;
  const response = await Promise.race([
    visitor.send<unknown>(route.method.toUpperCase(), named(path), sent, headers),
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no response')), TIMEOUT_MS).unref()),
  ]);
  if (response.status === 401) await comeBack(who);
  if (response.status < 400) return;
  expect(response.status).toBeLessThan(500);
  // The public log answers strangers' tools, in text.
  if (route.path.startsWith('/log/') && response.status === 404) return expect(response.body).toBe('Not found\n');
  expect(response.body).toEqual({ error: expect.stringMatching(/\S/), code: expect.stringMatching(/^[a-z-]+$/) });
  expect(JSON.stringify(response.body)).not.toMatch(/\bat .+:\d+:\d+|node_modules|\.[jt]s\b/);
}

function visitorOf(who: MalformedRequest['who']): Visitor {
  return who === 'visitor' ? application.visitor() : { admin, auditor, operator, gamer }[who].visitor;
}

async function comeBack(who: MalformedRequest['who']): Promise<void> {
  if (who === 'visitor') return;
  if ((await visitorOf(who).get<AuthStatus>('/api/auth/status')).body.isAuthenticated) return;
  if (who === 'admin') await application.admin(admin.visitor);
  else if (who === 'auditor') auditor = await newStaff('auditor');
  else if (who === 'operator') operator = await newStaff('operator');
  else gamer = await newGamer();
}

let gamers = 0;
function newGamer(): Promise<Person> {
  gamers += 1;
  return application.register(`gamer-${gamers}`);
}

async function newStaff(role: 'auditor' | 'operator'): Promise<Person> {
  const person = await newGamer();
  const powers = role === 'operator' ? POWERS : [];
  await admin.visitor.post(`/api/admin/mini/gamers/${person.id}/role`, { role, powers });
  return person;
}

it('null in place of an optional field counts as absent', async () => {
  const role = `/api/admin/mini/gamers/${(await newGamer()).id}/role`;
  const changed = admin.visitor.post(role, { role: 'operator', powers: null });
  expect(await codeOf(changed)).toBe('400 operator-needs-powers');
  await admin.visitor.post('/api/admin/game/start');
  const { status } = await admin.visitor.post('/api/admin/game/reset', { reason: null });
  expect([200, 400]).toContain(status);
});

it.each(routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
  '%s answers everything in order',
  async (_, route) => {
    await fc.assert(
      fc.asyncProperty(requestsTo(route), (request) => expectOrderly(route, request)),
      { numRuns: REQUESTS },
    );
  },
);

it('the worker projects all resulting events', async () => {
  const { headers } = await admin.visitor.post(`/api/community/posts`, { gamerId: admin.id, message: 'Still here' });
  const position = headers.get('x-position') as string;
  let reached = '0';
  while (BigInt(reached) < BigInt(position) && application.workerFailures.length === 0) {
    reached =
      (await gamer.visitor.get('/api/stats', { 'x-after-position': position })).headers.get('x-position') ?? '0';
  }
  expect(application.workerFailures).toEqual([]);
});

describe('sockets', () => {
  const polling = (query: string, init: RequestInit = {}) =>
    fetch(`${application.api.url}${SOCKET_PATH}/?${query}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });

  it('answer malformed handshakes and packets with an error', async () => {
    const query = fc.oneof(
      fc.constantFrom('EIO=4&transport=polling&sid=nobody', 'EIO=3&transport=polling', 'transport=carrier-pigeon', ''),
      fc.constant('EIO=4&transport=polling'),
      headerText.map((text) => `EIO=4&transport=polling&sid=${encodeURIComponent(text)}`),
    );
    await fc.assert(
      fc.asyncProperty(query, fc.option(anyText, { nil: undefined }), async (handshake, packet) => {
        const response = await polling(handshake, packet === undefined ? {} : { method: 'POST', body: packet });
        expect(response.status).toBeLessThan(500);
        expect(await response.text()).not.toMatch(/\bat .+:\d+:\d+|node_modules/);
      }),
      { numRuns: REQUESTS },
    );
  });

  it('survive malformed messages, and keep sending to other sockets', async () => {
    const bystander = await application.socket();
    const time = () => new Promise<number>((resolve) => bystander.emit('time:sync', resolve));
    const frame = fc.oneof(
      fc
        .tuple(fc.constantFrom('40', '41', '42', '43', '44', '45', '4', '6', ''), anyText)
        .map(([type, text]) => type + text),
      fc
        .tuple(fc.constantFrom('time:sync', 'state:update', 'connection', 'disconnect', '__proto__'), anyValue)
        .map(([name, value]) => `42${JSON.stringify([name, value])}`),
      fc.constantFrom('420["time:sync"]', '42["time:sync",1,2,3]', '42[]', '42{}', '4210["time:sync"'),
      fc.constant('451-["x",{"_placeholder":true,"num":0}]'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { maxLength: 5 }), async (frames) => {
        const { url } = application.api;
        const socket = openSocket(url, { origin: url }, { transports: ['websocket'] });
        try {
          await isAccepted(socket);
          for (const one of frames)
            (socket.io.engine as unknown as { transport: { ws: WebSocket } }).transport.ws.send(one);
          expect(await time()).toBeGreaterThan(0);
        } finally {
          socket.close();
        }
      }),
      { numRuns: REQUESTS },
    );
  });
});
