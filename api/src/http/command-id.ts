import { randomUUID } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { IDEMPOTENCY_KEY } from '../../../contracts/http/headers.js';
import type { CommandId as Id } from '../../../contracts/ids.js';
import { Refused } from './refused.js';

const COMMAND_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The command's id: the client's `Idempotency-Key`, or a fresh UUID when it sent none. */
export const CommandId = createParamDecorator(commandIdOf);

export function commandIdOf(_data: unknown, context: ExecutionContext): Id {
  const key = context.switchToHttp().getRequest<Request>().get(IDEMPOTENCY_KEY);
  if (key === undefined) return randomUUID();
  if (!COMMAND_ID.test(key)) throw new Refused('invalid-idempotency-key');
  return key;
}
