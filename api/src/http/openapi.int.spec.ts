import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { words } from '../../../contracts/words.js';
import { AppModule } from '../app.module.js';
import { documentOf, routesOf, type Schema } from './openapi.js';

const BUILT = join(__dirname, '../../../dist/response-schemas.json');
const routes = routesOf(AppModule);

/** Queries that read no read model, so `X-After-Position` means nothing to them. */
const WITHOUT_POSITION = [
  ...words('/api/account/sessions /api/admin/exclusions /api/admin/limits /api/admin/payouts'),
  ...words('/api/admin/security-events /api/auth/status /api/coin-minimums /api/gamer/{id}/protection /api/health'),
  ...words('/api/health/live /api/ledger/events/{revision}/proof /api/ledger/key /api/metrics'),
  ...words('/api/ref/{code} /api/reminders/key /api/staff/second-factor'),
  ...words('/log/* /log/checkpoint /log/checkpoint/witnessed'),
];

it('waits in every other query for X-After-Position (ReadsViews)', () => {
  const others = routes.filter(({ method, waitsForPosition }) => method === 'get' && !waitsForPosition);
  expect(others.map(({ path }) => path).sort()).toEqual(WITHOUT_POSITION);
});

describe('the document', () => {
  const document = documentOf(routes, JSON.parse(readFileSync(BUILT, 'utf8')));

  it.each(routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
    'describes %s: purpose, role, request and response',
    (_, route) => {
      const operation = document.paths[route.path]?.[route.method];
      expect(operation?.summary).toMatch(/\w.*\.$/);
      expect(operation?.description).toMatch(/^For /);
      const responses = operation?.responses as Record<string, { content: Record<string, { schema: Schema }> }>;
      expect(Object.values(responses[route.status]?.content ?? {})).toEqual([{ schema: expect.anything() }]);
      expect(responses).toHaveProperty('default');
      if (route.body) expect(sizeOf(document.components?.schemas?.[route.body.name] as Schema)).toBeGreaterThan(0);
    },
  );

  it('defines every schema it refers to', () => {
    const known = Object.keys(document.components?.schemas ?? {});
    const meant = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
    expect(meant.filter((name) => !known.includes(name as string))).toEqual([]);
  });

  it('describes the fields of a body', () => {
    expect(document.components?.schemas?.WithdrawDto).toEqual({
      type: 'object',
      properties: {
        cryptoType: { enum: ['BTC', 'LTC', 'TRX', 'DOGE'] },
        walletAddress: { type: 'string', minLength: 1, maxLength: 128 },
        amountCents: { type: 'integer' },
      },
      required: expect.arrayContaining(['cryptoType', 'walletAddress', 'amountCents']),
    });
  });
});

const sizeOf = ({ properties = {} }: Schema): number => Object.keys(properties).length;
