import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { Registry } from 'prom-client';
import { AppModule } from './app.module.js';
import { answerInTime } from './http/answer-deadline.js';
import { recordArrivals } from './http/arrival.js';
import { parseBodies } from './http/body.js';
import { createLogger, requestLogging } from './http/logging.js';
import { originCheck } from './http/origin.js';
import { PositionInterceptor } from './http/position.interceptors.js';
import { RefusalFilter } from './http/refusal.filter.js';
import { requestMetrics } from './http/request-metrics.js';
import { requestRates } from './http/request-rates.js';
import { securityHeaders } from './http/security-headers.js';
import { sessionMiddleware } from './http/session-cookie.js';
import { SessionIoAdapter } from './http/session-io.adapter.js';
import { SessionStore } from './http/session-store.js';
import { validation } from './http/validation.js';
import { serveWeb } from './http/web.js';
import { documentOf } from './openapi/document.js';
import { routesOf } from './openapi/routes.js';
import { Clock } from './platform/clock.js';
import { Config } from './platform/config.js';

/** Adds everything between the HTTP server and the controllers, in the order in which a request passes it. */
export function configureHttp(app: NestExpressApplication): void {
  const config = app.get(Config);
  const session = sessionMiddleware(config, app.get(SessionStore));
  const clock = app.get(Clock);
  recordArrivals(app.getHttpServer(), () => clock.now());
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustProxy);
  app.set('query parser', 'simple');
  app.set('etag', false);
  app.use(requestLogging(createLogger(config.logLevel)));
  app.use(requestMetrics(app.get(Registry)));
  app.use(securityHeaders(config));
  if (config.webRoot !== null) serveWeb(app, config.webRoot);
  app.use(originCheck(config.publicOrigins));
  const rates = requestRates(config);
  app.use(rates.byAddress);
  parseBodies(app);
  app.use(answerInTime);
  app.use('/api', neverCached, session);
  app.use(rates.byGamer);
  app.useGlobalPipes(validation());
  app.useGlobalFilters(new RefusalFilter());
  app.useGlobalInterceptors(new PositionInterceptor());
  app.useWebSocketAdapter(new SessionIoAdapter(app, session, config));
  describeApi(app);
}

/** Responses are personal or short-lived. */
function neverCached(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'no-store');
  next();
}

/** OpenAPI at /api/docs (page) and /api/docs-json. */
function describeApi(app: NestExpressApplication): void {
  SwaggerModule.setup('api/docs', app, () => documentOf(routesOf(AppModule)));
}
