import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppModule } from '../app.module.js';
import { documentOf, typesOfAnswers as kept } from './document.js';
import { routesOf } from './routes.js';
import type { Schema } from './schema.js';
import { readTypesOfAnswers } from './testing/types-of-answers.js';

const KEPT = join(__dirname, 'answers.generated.json');

const read = readTypesOfAnswers();

function keep(): void {
  writeFileSync(KEPT, `${JSON.stringify(read, null, 2)}\n`);
}

const routes = routesOf(AppModule);

if (process.env.UPDATE_ANSWERS) it('what the types say of the answers is kept', keep);
else {
  it('is up to date with the types (otherwise run: UPDATE_ANSWERS=1 npx jest answers)', () => {
    expect(kept).toEqual(read);
  });
}

/** Queries that read no read model, so `X-After-Position` means nothing to them. */
const WITHOUT_POSITION = ['/api/auth/status', '/api/health', '/api/health/live', '/api/metrics', '/api/ref/{code}'];

it('waits in every other query for X-After-Position (AfterPositionInterceptor)', () => {
  const others = routes.filter(({ method, waitsForPosition }) => method === 'get' && !waitsForPosition);
  expect(others.map(({ path }) => path).sort()).toEqual(WITHOUT_POSITION);
});

describe('the document', () => {
  const document = documentOf(routes, read);

  it.each(routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
    'describes %s: purpose, role, request and response',
    (_, route) => {
      const operation = document.paths[route.path]?.[route.method];
      expect(operation?.summary).toMatch(/\w.*\.$/);
      expect(operation?.description).toMatch(/^For /);
      const responses = operation?.responses as Record<string, { content: Record<string, { schema: Schema }> }>;
      expect(Object.values(responses[route.status]?.content ?? {})).toEqual([{ schema: expect.anything() }]);
      expect(responses).toHaveProperty('503');
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
        amountCents: { type: 'integer', minimum: 1_000 },
      },
      required: expect.arrayContaining(['cryptoType', 'walletAddress', 'amountCents']),
    });
  });
});

const sizeOf = ({ properties = {} }: Schema): number => Object.keys(properties).length;
