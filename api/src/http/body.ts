import { BadRequestException, PayloadTooLargeException } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';

const BODY_LIMIT = '100kb';

/** JSON and nothing else: a form on another site cannot send that without asking first. */
export function parseBodies(app: NestExpressApplication): void {
  app.useBodyParser('json', { limit: BODY_LIMIT });
  app.use((error: Error & { type?: string }, _request: Request, _response: Response, next: NextFunction) => {
    next(explain(error));
  });
}

function explain(error: Error & { type?: string }): Error {
  if (error.type === 'entity.too.large') return new PayloadTooLargeException({ error: 'The request is too large' });
  if (error.type === 'entity.parse.failed') return new BadRequestException({ error: 'The request is not valid JSON' });
  if (error.type?.match(/^(encoding|charset|request)\./)) {
    return new BadRequestException({ error: 'The request could not be read' });
  }
  return error;
}
