import type { OpenAPIObject } from '@nestjs/swagger';
import { AFTER_POSITION, IDEMPOTENCY_KEY, POSITION } from '../../../contracts/http/headers.js';
import { SESSION_COOKIE } from '../http/session-middleware.js';
import { type TypesOfAnswers, typesOfAnswers } from './answers.generated.js';
import type { Route } from './routes.js';
import { type Schema, shapeRef } from './schema.js';
import { schemaOfClass } from './schema-of-class.js';

const WHO: Record<Route['role'], string> = {
  visitor: 'For everyone.',
  gamer: 'For whoever is logged in.',
  auditor: 'For auditors and the admin.',
  admin: 'For the admin.',
};

const text: Schema = { type: 'string' };
const position: Schema = { ...text, description: 'A position in the event log: decimal digits.' };

/** The OpenAPI document of these routes, made from what the code says of itself: nothing is written down twice. */
export function documentOf(routes: readonly Route[], types: TypesOfAnswers = typesOfAnswers): OpenAPIObject {
  const paths: Record<string, Record<string, unknown>> = {};
  const bodies: Record<string, Schema> = {};
  for (const route of routes) {
    const answer = types.answers[route.handler];
    if (!answer) throw new Error(`${route.handler} is not in answers.generated.ts: UPDATE_ANSWERS=1 npx jest answers`);
    if (route.body) bodies[route.body.name] = schemaOfClass(route.body);
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, answer) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Omni Jackpot',
      version: '1',
      description: 'Amounts are integer cents and times epoch milliseconds. Every failure is `{ "error": "text" }`.',
    },
    paths: paths as OpenAPIObject['paths'],
    components: {
      schemas: { ...types.shapes, ...bodies, ErrorBody: errorBody } as never,
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE } },
    },
  };
}

function operationOf(route: Route, answer: TypesOfAnswers['answers'][string]) {
  const [controller = '', handler = ''] = route.handler.split('.');
  return {
    operationId: `${controller.replace(/Controller$/, '')}_${handler}`,
    tags: [controller.replace(/Controller$/, '').replace(/(?<=[a-z])(?=[A-Z])/g, ' ')],
    summary: answer.summary,
    description: WHO[route.role],
    'x-role': route.role,
    ...(route.role !== 'visitor' && { security: [{ session: [] }] }),
    parameters: parametersOf(route),
    ...(route.body && {
      requestBody: {
        required: schemaOfClass(route.body).required.length > 0,
        content: { 'application/json': { schema: { $ref: shapeRef(route.body.name) } } },
      },
    }),
    responses: { [route.status]: successOf(route, answer), ...failuresOf(route) },
  };
}

function parametersOf({ pathParameters, query, isRepeatable, waitsForPosition, method }: Route) {
  const inQuery = query ? schemaOfClass(query) : { properties: {} };
  return [
    ...pathParameters.map((name) => ({ name, in: 'path', required: true, schema: text })),
    ...Object.entries(inQuery.properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema })),
    ...(isRepeatable ? [header(IDEMPOTENCY_KEY, 'A repeat is answered with the first one’s result.', commandId)] : []),
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

function successOf({ waitsForPosition }: Route, { schema, hasPosition }: TypesOfAnswers['answers'][string]) {
  const description = 'Done.';
  return {
    description,
    ...((hasPosition || waitsForPosition) && {
      headers: { [POSITION]: { description: 'How far the answer goes.', schema: position } },
    }),
    content: schema ? { 'application/json': { schema } } : { 'text/plain': { schema: text } },
  };
}

const errorBody: Schema = {
  type: 'object',
  properties: { error: { type: 'string', description: 'What to tell the person.' } },
  required: ['error'],
};

const retryAfter = { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer', minimum: 1 } } };

/** What may be refused where: the text of the error says why. */
function failuresOf({ body, query, isRepeatable, waitsForPosition, role, pathParameters, method }: Route) {
  const isRead = method === 'get';
  const failures: Record<string, string | false> = {
    400: (body !== null || query !== null || isRepeatable || waitsForPosition) && 'The request is not valid.',
    401: role !== 'visitor' && 'Nobody is logged in.',
    403: (role !== 'visitor' || !isRead) && 'Not this one’s to do, or sent from another site.',
    404: pathParameters.length > 0 && 'There is no such thing.',
    409: isRepeatable && 'It is in no state for that, or the Idempotency-Key was another request’s.',
    429: !isRead && 'Too many attempts; see Retry-After.',
    503: 'It cannot be confirmed right now; see Retry-After.',
  };
  const content = { 'application/json': { schema: { $ref: shapeRef('ErrorBody') } } };
  return Object.fromEntries(
    Object.entries(failures)
      .filter(([, description]) => description !== false)
      .map(([status, description]) => [
        status,
        { description, content, ...((status === '429' || status === '503') && { headers: retryAfter }) },
      ]),
  );
}
