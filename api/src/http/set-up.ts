import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { Registry } from 'prom-client';
import { AppModule } from '../app.module.js';
import { Config } from '../config.js';
import { documentOf } from '../openapi/document.js';
import { routesOf } from '../openapi/routes.js';
import { parseBodies } from './body.js';
import { createLogger, requestLogging } from './logging.js';
import { originCheck } from './origin.js';
import { PositionInterceptor } from './position.interceptor.js';
import { RefusalFilter } from './refusal.filter.js';
import { requestMetrics } from './request-metrics.js';
import { securityHeaders } from './security-headers.js';
import { SessionIoAdapter } from './session-io.adapter.js';
import { sessionMiddleware } from './session-middleware.js';
import { SessionStore } from './session-store.js';
import { SocketLimit } from './socket-limit.js';
import { validation } from './validation.js';
import { serveWeb } from './web.js';

/** Everything between the socket and the controllers, in the order that a request meets it. */
export function setUpHttp(app: NestExpressApplication): void {
  const config = app.get(Config);
  const session = sessionMiddleware(config, app.get(SessionStore));
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustProxy);
  app.set('query parser', 'simple');
  app.set('etag', false);
  app.use(requestLogging(createLogger(config.logLevel)));
  app.use(requestMetrics(app.get(Registry)));
  app.use(securityHeaders(config));
  if (config.webRoot !== null) serveWeb(app, config.webRoot);
  app.use(originCheck(config.publicOrigins));
  parseBodies(app);
  app.use('/api', neverCached, session);
  app.useGlobalPipes(validation());
  app.useGlobalFilters(new RefusalFilter());
  app.useGlobalInterceptors(new PositionInterceptor());
  const socketLimit = new SocketLimit(app, config.attemptLimits?.socketsPerAddress ?? null);
  app.useWebSocketAdapter(new SessionIoAdapter(app, session, config.publicOrigins, socketLimit));
  describeApi(app);
}

/** Answers are personal, or true for a moment. */
function neverCached(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'no-store');
  next();
}

/** OpenAPI at /api/docs (page) and /api/docs-json. */
function describeApi(app: NestExpressApplication): void {
  SwaggerModule.setup('api/docs', app, () => documentOf(routesOf(AppModule)));
}
