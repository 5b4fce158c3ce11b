import { randomUUID } from 'node:crypto';
import type { LoggerService } from '@nestjs/common';
import type { RequestHandler } from 'express';
import { type Logger, pino } from 'pino';

/** Lines of JSON on stdout. Cookies, credentials and passwords never reach them. */
export const createLogger = (level: string): Logger =>
  pino({
    level,
    base: { service: 'api' },
    redact: {
      paths: ['req.headers.cookie', 'req.headers.authorization', 'res.headers["set-cookie"]', '*.password'],
      remove: true,
    },
  });

/**
 * One line per request once it is over: failures of ours as errors, refusals as info, the rest as debug, as there is so
 * much of it. pino-http makes two loggers for each request, whether a line is written or not, which measured a twentieth
 * of all that a purchase over HTTP costs.
 */
export const requestLogging =
  (logger: Logger): RequestHandler =>
  (request, response, next) => {
    const beganAt = performance.now();
    const { remoteAddress } = request.socket;
    response.once('close', () => {
      const { statusCode, writableFinished: isAnswered } = response;
      const level = statusCode >= 500 ? 'error' : statusCode >= 400 ? 'info' : 'debug';
      if (!logger.isLevelEnabled(level)) return;
      const { method, originalUrl } = request;
      // The query may hold a reset token; the path is enough.
      const req = { id: randomUUID(), method, path: originalUrl.split('?', 1)[0], remoteAddress };
      const responseTime = Math.round(performance.now() - beganAt);
      logger[level](
        { req, res: { statusCode }, responseTime },
        isAnswered ? 'request completed' : 'request broken off',
      );
    });
    next();
  };

/** What Nest and our own `new Logger(context)` say, through the same lines. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest passes the context last, and an error's stack before it. */
  private write(
    level: 'info' | 'error' | 'warn' | 'debug' | 'trace' | 'fatal',
    message: unknown,
    rest: unknown[],
  ): void {
    const context = rest.at(-1);
    const details = rest.slice(0, -1).filter((detail) => detail !== undefined);
    const fields = { context, ...(details.length > 0 && { details }) };
    if (message instanceof Error) this.logger[level]({ ...fields, err: message }, message.message);
    else if (typeof message === 'string') this.logger[level](fields, message);
    else this.logger[level]({ ...fields, message });
  }
}
