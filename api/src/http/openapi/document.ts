import { existsSync, readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AFTER_POSITION, IDEMPOTENCY_KEY, POSITION } from '../../../../contracts/http/headers.js';
import { REFUSAL_CODES } from '../../../../contracts/refusals.js';
import { Unavailable } from '../../platform/failures.js';
import { SESSION_COOKIE } from '../cookies.js';
import { type Route, type Schema, schemaOfClass, shapeRef } from './routes.js';

/** The response types of the controllers, read from their source by the build (scripts/response-schemas.mjs). */
export interface ResponseSchemas {
  /** Schemas by handler, 'CommunityController.publish'. A schema of null is plain text. */
  responses: Record<string, { summary: string; schema: Schema | null; hasPosition: boolean }>;
  /** The named types of contracts/ that the responses use. */
  shapes: Record<string, Schema>;
}

/** Reads a file in the folder of the built packages. Specs load the source, and read the file of the last build. */
function readResponseSchemas(): ResponseSchemas {
  const file = ['../../../../response-schemas.json', '../../../../dist/response-schemas.json']
    .map((path) => new URL(path, import.meta.url))
    .find((place) => existsSync(place));
  if (file === undefined) throw new Unavailable('the schemas of the responses are built after the start');
  return JSON.parse(readFileSync(file, 'utf8'));
}

const AUDIENCE: Record<Route['role'], string> = {
  visitor: 'For everyone.',
  gamer: 'For logged-in gamers.',
  auditor: 'For auditors and the admin.',
  operator: 'For the admin, and operators with the power.',
  admin: 'For the admin.',
};

const AFTER_STEP_UP =
  'Needs a login or POST /api/staff/step-up in the last ten minutes; 403 `step-up-required` otherwise.';

const text: Schema = { type: 'string' };
const position: Schema = { ...text, description: 'A position in the event log: decimal digits.' };

/** The OpenAPI document of these routes, derived from decorators, validators and return types. */
export function documentOf(routes: readonly Route[], schemas: ResponseSchemas = readResponseSchemas()): OpenAPIObject {
  const paths: Record<string, Record<string, unknown>> = {};
  const bodies: Record<string, Schema> = {};
  for (const route of routes) {
    const response = schemas.responses[route.handler];
    if (!response) throw new Error(`the build has no response schema of ${route.handler}`);
    if (route.body) bodies[route.body.name] = schemaOfClass(route.body);
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, response) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Omni Jackpot',
      version: '1',
      description:
        'Fields named `…Cents` are integer cents; the `amount` of a deposit invoice is whole dollars. Times are epoch ' +
        'milliseconds. Every failure is `{ "error": "text", "code": "…" }`.',
    },
    paths: paths as OpenAPIObject['paths'],
    components: {
      schemas: { ...schemas.shapes, ...bodies, ErrorBody: errorBody },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE } },
    },
  };
}

function operationOf(route: Route, response: ResponseSchemas['responses'][string]) {
  const [controller = '', handler = ''] = route.handler.split('.');
  return {
    operationId: `${controller.replace(/Controller$/, '')}_${handler}`,
    tags: [controller.replace(/Controller$/, '').replace(/(?<=[a-z])(?=[A-Z])/g, ' ')],
    summary: response.summary,
    description: route.needsStepUp ? `${AUDIENCE[route.role]} ${AFTER_STEP_UP}` : AUDIENCE[route.role],
    ...(route.role !== 'visitor' && { security: [{ session: [] }] }),
    parameters: parametersOf(route),
    ...(route.body && {
      requestBody: {
        required: schemaOfClass(route.body).required.length > 0,
        content: { 'application/json': { schema: { $ref: shapeRef(route.body.name) } } },
      },
    }),
    responses: { [route.status]: successOf(route, response), default: failure },
  };
}

function parametersOf({ pathParameters, query, takesIdempotencyKey, waitsForPosition, method }: Route) {
  const inQuery = query ? schemaOfClass(query) : { properties: {} };
  return [
    ...pathParameters.map((name) => ({ name, in: 'path', required: true, schema: text })),
    ...Object.entries(inQuery.properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema })),
    ...(takesIdempotencyKey
      ? [header(IDEMPOTENCY_KEY, 'A repeated command returns the first result.', commandId)]
      : []),
    ...(waitsForPosition && method === 'get'
      ? [header(AFTER_POSITION, 'Answer once the tables have reached it, within 2 seconds.', position)]
      : []),
  ];
}

const commandId: Schema = { ...text, minLength: 1, maxLength: 64, description: 'Letters, digits, _ and -.' };

const header = (name: string, description: string, schema: Schema) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});

function successOf({ waitsForPosition }: Route, { schema, hasPosition }: ResponseSchemas['responses'][string]) {
  return {
    description: 'Done.',
    ...((hasPosition || waitsForPosition) && {
      headers: { [POSITION]: { description: 'The log position the response reflects.', schema: position } },
    }),
    content: schema ? { 'application/json': { schema } } : { 'text/plain': { schema: text } },
  };
}

const errorBody: Schema = {
  type: 'object',
  properties: {
    error: { type: 'string', description: 'The sentence a person reads.' },
    code: { type: 'string', enum: REFUSAL_CODES, description: 'Which refusal it is.' },
    lateMs: { type: 'integer', description: 'Of a purchase that arrived too late: milliseconds after zero.' },
    signedRefusal: { type: 'string', description: 'Of that purchase: a note signed by the key of the ledger.' },
  },
  required: ['error', 'code'],
};

/** Every failure has the same body, with a code. */
const failure = {
  description: 'The request was refused or failed. 429 and 503 tell by Retry-After when to try again.',
  content: { 'application/json': { schema: { $ref: shapeRef('ErrorBody') } } },
};
