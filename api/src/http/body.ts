import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { refusalText } from '../../../contracts/refusals.js';
import { CALLBACK_PATH } from '../platform/config.js';
import { Refused } from '../platform/failures.js';

const BODY_LIMIT = '100kb';
/** The payment gateway signs the bytes of its callbacks, so their bodies are not parsed. */
const isCallback = ({ url }: { url?: string }): boolean => url?.split('?', 1)[0] === CALLBACK_PATH;

/** Parses JSON bodies only: a page of another site cannot send JSON without a CORS preflight. */
export function parseBodies(app: NestExpressApplication): void {
  app.use(refuseUnwritableUrls);
  app.useBodyParser('raw', { type: isCallback, limit: BODY_LIMIT });
  app.useBodyParser('json', { limit: BODY_LIMIT, reviver: refuseUnwritable });
  app.use((error: Error & { type?: string }, _request: Request, _response: Response, next: NextFunction) => {
    next(refusalOf(error));
  });
}

function refusalOf(error: Error & { type?: string }): Error {
  if (error.type === 'entity.too.large') return new Refused('request-too-large');
  if (error.type === 'entity.parse.failed') {
    return new Refused(error.message === refusalText({ code: 'unwritable-text' }) ? 'unwritable-text' : 'invalid-json');
  }
  return error.type?.match(/^(encoding|charset|request)\./) ? new Refused('unreadable-request') : error;
}

/** NUL cannot be stored in Postgres, half of a surrogate pair cannot be encoded in UTF-8; no keyboard types either. */
const isUnwritable = (text: string): boolean => text.includes('\0') || /\p{Surrogate}/u.test(text);

/** A reviver for JSON.parse that throws on text that cannot be stored unchanged. */
function refuseUnwritable(key: string, value: unknown): unknown {
  if (isUnwritable(key) || (typeof value === 'string' && isUnwritable(value)))
    throw new Error(refusalText({ code: 'unwritable-text' }));
  return value;
}

/** In a URL only NUL is possible: decoding replaces broken surrogate pairs. */
function refuseUnwritableUrls(request: Request, _response: Response, next: NextFunction): void {
  next(request.url.includes('%00') ? new Refused('unwritable-text') : undefined);
}
