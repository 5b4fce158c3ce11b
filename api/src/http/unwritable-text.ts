import { BadRequestException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

export const UNWRITABLE = 'The request holds characters that no text has';

/** NUL, which Postgres cannot hold, or half of a surrogate pair, which UTF-8 cannot: nobody types either. */
const isUnwritable = (text: string): boolean => text.includes('\0') || /\p{Surrogate}/u.test(text);

/** For JSON.parse: throws on text that could not be written down as it came. */
export function refuseUnwritable(key: string, value: unknown): unknown {
  if (isUnwritable(key) || (typeof value === 'string' && isUnwritable(value))) throw new Error(UNWRITABLE);
  return value;
}

/** In a path or query only NUL can be such: the rest does not survive decoding. */
export function refuseUnwritableUrls(request: Request, _response: Response, next: NextFunction): void {
  next(request.url.includes('%00') ? new BadRequestException({ error: UNWRITABLE }) : undefined);
}
