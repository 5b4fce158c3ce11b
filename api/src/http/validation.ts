import { BadRequestException, type ValidationError, ValidationPipe } from '@nestjs/common';

/** Unknown fields are dropped; the first broken rule's message, which is the specification's text, is the error. */
export const validation = (): ValidationPipe =>
  new ValidationPipe({
    whitelist: true,
    transform: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) => new BadRequestException({ error: firstMessage(errors) }),
  });

function firstMessage(errors: ValidationError[]): string {
  for (const error of errors) {
    const own = Object.values(error.constraints ?? {})[0];
    const message = own ?? (error.children?.length ? firstMessage(error.children) : undefined);
    if (message) return message;
  }
  return 'The request is not valid';
}
