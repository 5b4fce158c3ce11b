import { applyDecorators, type ValidationError, ValidationPipe } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min, type ValidationOptions } from 'class-validator';
import { type PlainRefusalCode, refusalText } from '../../../contracts/refusals.js';
import { InvalidRequest } from '../platform/failures.js';

/** Options of a validation decorator: a request that breaks its rule is refused with this code and its text. */
export const refuseAs = (code: PlainRefusalCode): ValidationOptions => ({
  message: refusalText({ code }),
  context: { code },
});

/** The number of a round; the greatest has fewer digits than the read models can hold. */
export const ROUND_ID = /^[1-9]\d{0,8}$/;

/** Removes white space around a text before it is validated. */
export const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** A text that must not be empty; refused with `code`. It is not trimmed. */
export const requiredText = (code: PlainRefusalCode): PropertyDecorator =>
  applyDecorators(IsString(refuseAs(code)), IsNotEmpty(refuseAs(code)));

/** A whole number from `min` to `max`; refused with `code`. */
export const wholeNumber = (min: number, max: number, code: PlainRefusalCode): PropertyDecorator =>
  applyDecorators(IsInt(refuseAs(code)), Min(min, refuseAs(code)), Max(max, refuseAs(code)));

/** An optional text, trimmed; refused with `message` when it is no text, with `code` when it is too long. */
export const optionalText = (maxLength: number, code: PlainRefusalCode, message: string): PropertyDecorator =>
  applyDecorators(trimmed, IsString({ message }), MaxLength(maxLength, refuseAs(code)), IsOptional());

/** An optional whole number from 1 to `max` in the query string; refused with `message`. */
export const optionalNumber = (max: number, message: string): PropertyDecorator =>
  applyDecorators(
    Type(() => Number),
    IsInt({ message }),
    Min(1, { message }),
    Max(max, { message }),
    IsOptional(),
  );

/** Drops unknown fields; refuses with the first broken rule's text, and its code where `refuseAs` gave it one. */
export const validation = (): ValidationPipe =>
  new ValidationPipe({
    whitelist: true,
    transform: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) => firstBroken(errors) ?? new InvalidRequest('invalid-request'),
  });

function firstBroken(errors: ValidationError[]): InvalidRequest | undefined {
  for (const { constraints = {}, contexts, children = [] } of errors) {
    const [rule, text] = Object.entries(constraints)[0] ?? [];
    if (rule !== undefined) return new InvalidRequest(contexts?.[rule]?.code ?? 'invalid-request', text);
    const nested = firstBroken(children);
    if (nested) return nested;
  }
  return undefined;
}
