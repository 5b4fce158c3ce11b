import { BadRequestException, PayloadTooLargeException } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { CALLBACK_PATH } from '../payments/payments.config.js';
import { refuseUnwritable, refuseUnwritableUrls, UNWRITABLE } from './unwritable-text.js';

const BODY_LIMIT = '100kb';
/** The payment gateway signs the bytes of its callbacks, so these are left as they came. */
const isCallback = ({ url }: { url?: string }): boolean => url?.split('?', 1)[0] === CALLBACK_PATH;

/** JSON and nothing else, of text that can be written down: a form on another site cannot send that without asking first. */
export function parseBodies(app: NestExpressApplication): void {
  app.use(refuseUnwritableUrls);
  app.useBodyParser('raw', { type: isCallback, limit: BODY_LIMIT });
  app.useBodyParser('json', { limit: BODY_LIMIT, reviver: refuseUnwritable });
  app.use((error: Error & { type?: string }, _request: Request, _response: Response, next: NextFunction) => {
    next(explain(error));
  });
}

function explain(error: Error & { type?: string }): Error {
  if (error.type === 'entity.too.large') return new PayloadTooLargeException({ error: 'The request is too large' });
  if (error.type === 'entity.parse.failed') {
    const text = error.message === UNWRITABLE ? UNWRITABLE : 'The request is not valid JSON';
    return new BadRequestException({ error: text });
  }
  if (error.type?.match(/^(encoding|charset|request)\./)) {
    return new BadRequestException({ error: 'The request could not be read' });
  }
  return error;
}
