import { existsSync, readFileSync } from 'node:fs';
import { type CanActivate, RequestMethod, type Type } from '@nestjs/common';
import * as nest from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import type { OpenAPIObject } from '@nestjs/swagger';
import { getMetadataStorage } from 'class-validator';
import { AFTER_POSITION, IDEMPOTENCY_KEY, POSITION } from '../../../contracts/http/headers.js';
import { LIMIT_PERIODS, MAX_LIMIT_CENTS } from '../../../contracts/protection.js';
import { REFUSAL_CODES } from '../../../contracts/refusals.js';
import { Unavailable } from '../platform/failures.js';
import { SESSION_COOKIE } from './cookies.js';
import { type Audience, type RoleGuard, SteppedUp } from './guards.js';
import { AfterPositionInterceptor } from './position.interceptors.js';
import { commandIdOf, metadataOf } from './session.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export interface Route {
  /** 'CommunityController.publish' */
  handler: string;
  method: (typeof METHODS)[number];
  /** '/api/gamer/{id}' */
  path: string;
  pathParameters: string[];
  status: number;
  /** The least role admitted: anyone, a logged-in gamer, an auditor, an operator with a power, or the admin. */
  role: 'visitor' | Audience;
  needsStepUp: boolean;
  body: Type | null;
  query: Type | null;
  takesIdempotencyKey: boolean;
  waitsForPosition: boolean;
}

export function routesOf(root: Type): Route[] {
  const modules = new Set<unknown>([root]);
  // Modules added during the loop are visited too. Dynamic modules belong to libraries and have no routes.
  for (const module of modules) for (const imported of listed('IMPORTS', module)) modules.add(imported);
  return [...modules].flatMap((module) => listed('CONTROLLERS', module)).flatMap(routesOfController);
}

const listed = (what: 'IMPORTS' | 'CONTROLLERS', module: unknown): Type[] =>
  typeof module === 'function' ? (Reflect.getMetadata(nest.MODULE_METADATA[what], module) ?? []) : [];

function routesOfController(controller: Type): Route[] {
  return Object.getOwnPropertyNames(controller.prototype)
    .map((name) => ({ name, handler: controller.prototype[name] as object }))
    .filter(({ handler }) => Reflect.hasMetadata(nest.METHOD_METADATA, handler))
    .map(({ name, handler }) => routeOf(controller, name, handler));
}

function routeOf(controller: Type, name: string, handler: object): Route {
  const requestMethod = Reflect.getMetadata(nest.METHOD_METADATA, handler) as RequestMethod;
  const method = METHODS.find((one) => one === RequestMethod[requestMethod]?.toLowerCase());
  if (!method) throw new Error(`${controller.name}.${name} has a method that is not described`);
  const path = [controller, handler]
    .flatMap((of) => String(Reflect.getMetadata(nest.PATH_METADATA, of)).split('/'))
    .filter((part) => part !== '');
  const read = argumentsOf(controller, name);
  const guards = attached<Type<CanActivate>>(nest.GUARDS_METADATA, controller, handler);
  return {
    handler: `${controller.name}.${name}`,
    method,
    path: `/${path.map((part) => part.replace(/^:(.+)$/, '{$1}')).join('/')}`,
    pathParameters: path.filter((part) => part.startsWith(':')).map((part) => part.slice(1)),
    status: Reflect.getMetadata(nest.HTTP_CODE_METADATA, handler) ?? (method === 'post' ? 201 : 200),
    role: roleOf(guards.filter((guard) => guard !== SteppedUp)),
    needsStepUp: guards.includes(SteppedUp),
    body: read.classOf(RouteParamtypes.BODY),
    query: read.classOf(RouteParamtypes.QUERY),
    takesIdempotencyKey: read.factories.some((factory) => factory === commandIdOf || factory === metadataOf),
    waitsForPosition: attached(nest.INTERCEPTORS_METADATA, controller, handler).includes(AfterPositionInterceptor),
  };
}

const attached = <T = unknown>(key: string, controller: Type, handler: object): T[] =>
  [controller, handler].flatMap((of) => (Reflect.getMetadata(key, of) as T[] | undefined) ?? []);

const AUDIENCES: readonly Audience[] = ['admin', 'operator', 'auditor', 'gamer'];

function roleOf(guards: Type<CanActivate>[]): Route['role'] {
  const unknown = guards.find((guard) => !('audience' in guard));
  if (unknown) throw new Error(`${unknown.name} is a guard this document cannot describe`);
  return AUDIENCES.find((audience) => (guards as RoleGuard[]).some((one) => one.audience === audience)) ?? 'visitor';
}

function argumentsOf(controller: Type, name: string) {
  const byKey: Record<string, { index: number; factory?: unknown }> =
    Reflect.getMetadata(nest.ROUTE_ARGS_METADATA, controller, name) ?? {};
  const classes = Reflect.getMetadata(nest.PARAMTYPES_METADATA, controller.prototype, name) as Type[];
  return {
    factories: Object.values(byKey).map(({ factory }) => factory),
    classOf(kind: RouteParamtypes): Type | null {
      const [, argument] = Object.entries(byKey).find(([key]) => key.startsWith(`${kind}:`)) ?? [];
      return argument === undefined ? null : (classes[argument.index] as Type);
    },
  };
}

type Components = NonNullable<OpenAPIObject['components']>;
export type Schema = Exclude<NonNullable<Components['schemas']>[string], { $ref: string }>;

const shapeRef = (name: string): string => `#/components/schemas/${name}`;

const LIMIT: Schema = { anyOf: [{ type: 'integer', minimum: 0, maximum: MAX_LIMIT_CENTS }, { type: 'null' }] };

const SCHEMAS: Record<string, (constraints: readonly unknown[]) => Schema> = {
  isString: () => ({ type: 'string' }),
  isArray: () => ({ type: 'array' }),
  arrayMinSize: ([minItems]) => ({ minItems: minItems as number }),
  arrayMaxSize: ([maxItems]) => ({ maxItems: maxItems as number }),
  arrayUnique: () => ({ uniqueItems: true }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isIn: ([allowed]) => ({ enum: [...(allowed as readonly string[])] }),
  isNotEmpty: () => ({ minLength: 1 }),
  min: ([minimum]) => ({ minimum: minimum as number }),
  max: ([maximum]) => ({ maximum: maximum as number }),
  maxLength: ([maxLength]) => ({ maxLength: maxLength as number }),
  matches: ([pattern]) => ({ type: 'string', pattern: (pattern as RegExp).source }),
  isOptional: () => ({}),
  limitsOfAKind: () => ({
    type: 'object',
    properties: Object.fromEntries(LIMIT_PERIODS.map((period) => [period, LIMIT])),
    required: [...LIMIT_PERIODS],
  }),
};

/** The JSON Schema of a request class. Throws on a validator not in SCHEMAS. */
export function schemaOfClass(dto: Type): Schema & { properties: Record<string, Schema>; required: string[] } {
  const properties: Record<string, Schema> = {};
  const optional = new Set<string>();
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  for (const { propertyName, name = '', constraints, each } of rules) {
    const schema = SCHEMAS[name]?.(constraints ?? []);
    if (!schema) throw new Error(`${dto.name}.${propertyName}: ${name} has no schema here`);
    if (name === 'isOptional') optional.add(propertyName);
    const { [propertyName]: known = {} } = properties;
    properties[propertyName] = each ? { ...known, items: { ...known.items, ...schema } } : { ...known, ...schema };
  }
  for (const schema of Object.values(properties)) if (schema.type !== 'string') delete schema.minLength;
  const required = Object.keys(properties).filter((name) => !optional.has(name));
  return { type: 'object', properties, required };
}

/** The response types of the controllers, read from their source by the build (scripts/response-schemas.mjs). */
interface ResponseSchemas {
  /** Schemas by handler, 'CommunityController.publish'. A schema of null is plain text. */
  responses: Record<string, { summary: string; schema: Schema | null; hasPosition: boolean }>;
  /** The named types of contracts/ that the responses use. */
  shapes: Record<string, Schema>;
}

/** Reads a file in the folder of the built packages. Specs load the source, and read the file of the last build. */
function readResponseSchemas(): ResponseSchemas {
  const file = ['../../../response-schemas.json', '../../../dist/response-schemas.json']
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

const failure = {
  description: 'The request was refused or failed. 429 and 503 tell by Retry-After when to try again.',
  content: { 'application/json': { schema: { $ref: shapeRef('ErrorBody') } } },
};
