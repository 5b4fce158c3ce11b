import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import type { FastifyReply, FastifyServerOptions } from 'fastify';
import { Registry } from 'prom-client';
import { AppModule } from './app.module.js';
import { notFound } from './features/receipts/receipts.controller.js';
import { recordArrivals } from './http/arrival.js';
import { parseBodies } from './http/body.js';
import { isTrustedProxy } from './http/client-address.js';
import { LimitedIoAdapter } from './http/limited-io.adapter.js';
import { createLogger, requestLogging, requestMetrics } from './http/logging.js';
import { documentOf, routesOf } from './http/openapi.js';
import { sendPosition } from './http/position.interceptors.js';
import { RefusalFilter, respondInTime, sendRefusal } from './http/refusal.filter.js';
import { requestRates } from './http/request-rates.js';
import { originCheck, securityHeaders } from './http/security-headers.js';
import { SessionGamers } from './http/session.js';
import { readSession, SessionStore } from './http/sessions.store.js';
import { Validation } from './http/validation.js';
import { serveWeb } from './http/web.js';
import { Clock } from './platform/clock.js';
import { Config } from './platform/config.js';
import { Refused } from './platform/failures.js';

/** A request that has not arrived as a whole within 30 s gets a 408, so that slow bodies do not hold connections. */
const REQUEST_TIMES = { requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

export const httpAdapter = (config: Config): FastifyAdapter =>
  new FastifyAdapter({
    // Fastify's own server has no request timeout by default, and listens on every address of `localhost`.
    serverFactory: (handler) => createServer(REQUEST_TIMES, handler),
    trustProxy: isTrustedProxy(config),
    // A load balancer learns from /api/health that this node stops; requests that come nevertheless are served.
    return503OnClosing: false,
    routerOptions: { querystringParser: parse },
    // Responds to a malformed escape in the path.
    frameworkErrors: (_error, { url }, reply) =>
      url.startsWith('/log/')
        ? (reply as FastifyReply).header('cache-control', 'no-store').send(notFound(reply as FastifyReply))
        : sendRefusal(reply, new Refused('unreadable-request')),
    skipMiddie: true,
  } satisfies FastifyServerOptions & { skipMiddie: boolean });

/** Adds everything between the HTTP server and the controllers, in the order in which a request passes it. */
export function configureHttp(app: NestFastifyApplication): void {
  const config = app.get(Config);
  const clock = app.get(Clock);
  const sessions = app.get(SessionStore);
  const rates = requestRates(config);
  const fastify = app.getHttpAdapter().getInstance();
  const server = app.getHttpServer();
  recordArrivals(server, () => clock.now());
  // Removes Fastify's listener: Node's own response to bytes that are not HTTP has no body.
  server.removeAllListeners('clientError');
  // Responses are personal or short-lived, except for the client's files.
  const headers = { ...securityHeaders(config), 'cache-control': 'no-store' };
  fastify.decorateRequest('route', 'none');
  fastify.decorateRequest('session', null);
  fastify.decorateRequest('gamer', null);
  fastify.addHook('onRequest', (request, reply, done) => {
    request.route = request.routeOptions.url ?? 'none';
    reply.headers(headers);
    done();
  });
  fastify.addHook('onRequest', requestLogging(createLogger(config.logLevel)));
  fastify.addHook('onResponse', requestMetrics(app.get(Registry)));
  fastify.addHook('onRequest', originCheck(config.publicOrigins));
  fastify.addHook('onRequest', rates.byAddress);
  parseBodies(fastify);
  // The body has been read from here on.
  fastify.addHook('preValidation', respondInTime);
  fastify.addHook('preValidation', readSession(sessions));
  fastify.addHook('preValidation', rates.byGamer);
  fastify.addHook('preValidation', rates.longReads);
  fastify.addHook('preSerialization', sendPosition);
  if (config.isHttpsOnly) hideApiDocs(app);
  if (config.webRoot !== null) serveWeb(fastify, config.webRoot, !config.isHttpsOnly);
  app.useGlobalPipes(new Validation());
  app.useGlobalFilters(new RefusalFilter());
  app.useWebSocketAdapter(new LimitedIoAdapter(app, config));
  // The page, and the document at /api/docs-json.
  SwaggerModule.setup('api/docs', app, () => documentOf(routesOf(AppModule)));
}

/** On a public site the OpenAPI document is the admin's alone; for all others it is a 404. */
function hideApiDocs(app: NestFastifyApplication): void {
  const gamers = app.get(SessionGamers);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('preValidation', async ({ route, session }, reply) => {
      if (!route.startsWith('/api/docs')) return;
      const gamer = await gamers.gamerOfSession(session);
      if (gamer?.role === 'admin' && !gamer.needsSecondFactor) return;
      sendRefusal(reply, new Refused('not-found'));
      return reply;
    });
}
