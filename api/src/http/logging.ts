import { randomUUID } from 'node:crypto';
import type { LoggerService } from '@nestjs/common';
import type { onRequestHookHandler, onResponseHookHandler } from 'fastify';
import { type Level, type Logger, pino } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import { secretRedactor } from '../../../event-log/secrets.js';
import { knownLogLevel } from '../../../event-log/settings.js';
import { laneOf } from './request-rates.js';

/** Lines of JSON on stdout. Cookies, credentials, passwords and the settings' secrets never reach them. */
export const createLogger = (level: string | undefined): Logger =>
  pino({
    level: knownLogLevel(level),
    base: { service: 'api' },
    hooks: { streamWrite: secretRedactor(process.env) },
    redact: {
      paths: ['req.headers.cookie', 'req.headers.authorization', 'res.headers["set-cookie"]', '*.password'],
      remove: true,
    },
  });

/** Logs one line per finished request: 5xx as error, 4xx as info, others as debug. Much cheaper than pino-http. */
export const requestLogging =
  (logger: Logger): onRequestHookHandler =>
  ({ raw: request }, { raw: response }, done) => {
    const startedAtMonotonicMs = performance.now();
    const { remoteAddress } = request.socket;
    response.once('close', () => {
      const { statusCode, writableFinished: hasResponse } = response;
      const usualLevel = statusCode >= 400 ? 'info' : 'debug';
      const level = statusCode >= 500 ? 'error' : usualLevel;
      if (!logger.isLevelEnabled(level)) return;
      const { method, url } = request;
      // Leaves out the query, which may hold a reset token.
      const req = { id: randomUUID(), method, path: url?.split('?', 1)[0], remoteAddress };
      const responseTime = Math.round(performance.now() - startedAtMonotonicMs);
      logger[level]({ req, res: { statusCode }, responseTime }, hasResponse ? 'request completed' : 'request aborted');
    });
    done();
  };

export class NestLogger implements LoggerService {
  readonly log = this.writer('info');
  readonly error = this.writer('error');
  readonly warn = this.writer('warn');
  readonly debug = this.writer('debug');
  readonly verbose = this.writer('trace');
  readonly fatal = this.writer('fatal');

  constructor(private readonly logger: Logger) {}

  /** Nest passes the context as the last argument, and an error's stack before it. */
  private writer(level: Level) {
    return (message: unknown, ...rest: unknown[]): void => {
      const context = rest.at(-1);
      // Nest logs an error that ends the start before it throws it; main.ts reports the thrown one.
      if (context === 'ExceptionHandler') return;
      const details = rest.slice(0, -1).filter((detail) => detail !== undefined);
      const fields = { context, ...(details.length > 0 && { details }) };
      if (message instanceof Error) this.logger[level]({ ...fields, err: message }, message.message);
      else if (typeof message === 'string') this.logger[level](fields, message);
      else this.logger[level]({ ...fields, message });
    };
  }
}

/** Measures request durations by the route's pattern: an id in a path must not create its own time series. */
export function requestMetrics(registry: Registry): onResponseHookHandler {
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its response. The sums by lane are the lanes’ shares of the node.',
    labelNames: ['method', 'route', 'status', 'lane'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return (request, reply, done) => {
    const labels = [request.method, request.route, String(reply.statusCode), laneOf(request)];
    seconds.labels(...labels).observe(reply.elapsedTime / 1000);
    done();
  };
}
