import { type CanActivate, type DynamicModule, RequestMethod, type Type } from '@nestjs/common';
import {
  GUARDS_METADATA,
  HTTP_CODE_METADATA,
  INTERCEPTORS_METADATA,
  METHOD_METADATA,
  MODULE_METADATA,
  PARAMTYPES_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import { AfterPositionInterceptor } from '../position.interceptors.js';
import {
  AdminOnly,
  AdminOrOperator,
  AuditorOrAdmin,
  commandIdOf,
  LoggedIn,
  metadataOf,
  StaffEnrolling,
  SteppedUp,
} from '../session.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** A route as its decorators, guards and parameter classes describe it. */
export interface Route {
  /** 'CommunityController.publish' */
  handler: string;
  method: (typeof METHODS)[number];
  /** '/api/gamer/{id}' */
  path: string;
  pathParameters: string[];
  /** HTTP status of a success. */
  status: number;
  /** The least role admitted: anyone, a logged-in gamer, an auditor, an operator with a power, or the admin. */
  role: 'visitor' | 'gamer' | 'auditor' | 'operator' | 'admin';
  needsStepUp: boolean;
  body: Type | null;
  query: Type | null;
  takesIdempotencyKey: boolean;
  waitsForPosition: boolean;
}

export function routesOf(root: Type): Route[] {
  const controllers = new Set<Type>();
  const seen = new Set<unknown>();
  visit(root);
  return [...controllers].flatMap(routesOfController);

  function visit(module: Type | DynamicModule): void {
    if (seen.has(module)) return;
    seen.add(module);
    const own = typeof module === 'function' ? listOf(MODULE_METADATA, module) : module;
    for (const controller of own.controllers ?? []) controllers.add(controller);
    for (const imported of own.imports ?? []) visit(imported as Type | DynamicModule);
    if (typeof module !== 'function') visit(module.module);
  }
}

const listOf = ({ CONTROLLERS, IMPORTS }: typeof MODULE_METADATA, module: Type) => ({
  controllers: Reflect.getMetadata(CONTROLLERS, module) as Type[] | undefined,
  imports: Reflect.getMetadata(IMPORTS, module) as (Type | DynamicModule)[] | undefined,
});

function routesOfController(controller: Type): Route[] {
  return Object.getOwnPropertyNames(controller.prototype)
    .map((name) => ({ name, handler: controller.prototype[name] as object }))
    .filter(({ handler }) => Reflect.hasMetadata(METHOD_METADATA, handler))
    .map(({ name, handler }) => routeOf(controller, name, handler));
}

function routeOf(controller: Type, name: string, handler: object): Route {
  const requestMethod = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  const method = METHODS.find((one) => one === RequestMethod[requestMethod]?.toLowerCase());
  if (!method) throw new Error(`${controller.name}.${name} has a method that is not described`);
  const path = [controller, handler]
    .flatMap((of) => String(Reflect.getMetadata(PATH_METADATA, of)).split('/'))
    .filter((part) => part !== '');
  const read = argumentsOf(controller, name);
  const guards = attached<Type<CanActivate>>(GUARDS_METADATA, controller, handler);
  return {
    handler: `${controller.name}.${name}`,
    method,
    path: `/${path.map((part) => part.replace(/^:(.+)$/, '{$1}')).join('/')}`,
    pathParameters: path.filter((part) => part.startsWith(':')).map((part) => part.slice(1)),
    status: Reflect.getMetadata(HTTP_CODE_METADATA, handler) ?? (method === 'post' ? 201 : 200),
    role: roleOf(guards.filter((guard) => guard !== SteppedUp)),
    needsStepUp: guards.includes(SteppedUp),
    body: read.classOf(RouteParamtypes.BODY),
    query: read.classOf(RouteParamtypes.QUERY),
    takesIdempotencyKey: read.factories.some((factory) => factory === commandIdOf || factory === metadataOf),
    waitsForPosition: attached(INTERCEPTORS_METADATA, controller, handler).includes(AfterPositionInterceptor),
  };
}

const attached = <T = unknown>(key: string, controller: Type, handler: object): T[] =>
  [controller, handler].flatMap((of) => (Reflect.getMetadata(key, of) as T[] | undefined) ?? []);

function roleOf(guards: Type<CanActivate>[]): Route['role'] {
  const is = (guard: Type, base: Type | typeof AdminOrOperator) => guard === base || guard.prototype instanceof base;
  const unknown = guards.find((guard) => !is(guard, LoggedIn));
  if (unknown) throw new Error(`${unknown.name} is a guard this document cannot describe`);
  if (guards.some((guard) => is(guard, AdminOnly))) return 'admin';
  if (guards.some((guard) => is(guard, AdminOrOperator))) return 'operator';
  if (guards.some((guard) => is(guard, AuditorOrAdmin) || is(guard, StaffEnrolling))) return 'auditor';
  return guards.length > 0 ? 'gamer' : 'visitor';
}

interface RouteArgument {
  index: number;
  factory?: unknown;
}

function argumentsOf(controller: Type, name: string) {
  const byKey = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<string, RouteArgument>;
  const classes = Reflect.getMetadata(PARAMTYPES_METADATA, controller.prototype, name) as Type[];
  return {
    factories: Object.values(byKey).map(({ factory }) => factory),
    classOf(kind: RouteParamtypes): Type | null {
      const key = Object.keys(byKey).find((one) => one.startsWith(`${kind}:`));
      return key === undefined ? null : (classes[(byKey[key] as RouteArgument).index] as Type);
    },
  };
}
