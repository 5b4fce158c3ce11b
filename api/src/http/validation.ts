import { type ArgumentMetadata, applyDecorators, type Type as Class, type PipeTransform } from '@nestjs/common';
import { plainToInstance, Transform, Type } from 'class-transformer';
import * as rules from 'class-validator';
import { ADMIN_NOTES_MAX_LENGTH, REASON_MAX_LENGTH } from '../../../contracts/limits.js';
import { type PlainRefusalCode, refusalText } from '../../../contracts/refusals.js';
import { InvalidRequest, Refused } from '../platform/failures.js';

/** Options of a validation decorator: a request that breaks its rule is refused with this code and its text. */
export const refuseAs = (code: PlainRefusalCode): rules.ValidationOptions => ({
  message: refusalText({ code }),
  context: { code },
});

/** A pipe for a number in a path; any other text is a 404. */
const numberInPath = (pattern: RegExp): PipeTransform<string, number> => ({
  transform(text) {
    if (!pattern.test(text)) throw new Refused('not-found');
    return Number(text);
  },
});

export const eventNumber = numberInPath(/^\d{1,15}$/);
/** The greatest has fewer digits than the read models can hold. */
export const roundNumber = numberInPath(/^[1-9]\d{0,8}$/);

export const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** A text that must not be empty; refused with `code`, and above `maxLength` with `tooLong`. It is not trimmed. */
export const requiredText = (code: PlainRefusalCode, maxLength?: number, tooLong = code): PropertyDecorator =>
  applyDecorators(
    rules.IsString(refuseAs(code)),
    rules.IsNotEmpty(refuseAs(code)),
    ...(maxLength === undefined ? [] : [rules.MaxLength(maxLength, refuseAs(tooLong))]),
  );

/** Like `requiredText`, but trims the text first. */
export const trimmedText = (code: PlainRefusalCode, maxLength?: number, tooLong = code): PropertyDecorator =>
  applyDecorators(trimmed, requiredText(code, maxLength, tooLong));

export const text = (code: PlainRefusalCode): PropertyDecorator => rules.IsString(refuseAs(code));

export const oneOf = (values: readonly string[], code: PlainRefusalCode): PropertyDecorator =>
  rules.IsIn(values, refuseAs(code));

/** A whole number from `min` to `max`; refused with `code`, and above `max` with `tooMany`. */
export const wholeNumber = (
  min: number,
  max: number,
  code: PlainRefusalCode,
  tooMany: PlainRefusalCode = code,
): PropertyDecorator =>
  applyDecorators(rules.IsInt(refuseAs(code)), rules.Min(min, refuseAs(code)), rules.Max(max, refuseAs(tooMany)));

/** An optional text, trimmed; refused with `message` when it is not a text, with `code` when it is too long. */
export const optionalText = (maxLength: number, code: PlainRefusalCode, message: string): PropertyDecorator =>
  applyDecorators(trimmed, rules.IsString({ message }), rules.MaxLength(maxLength, refuseAs(code)), rules.IsOptional());

export const optionalReason = optionalText(REASON_MAX_LENGTH, 'reason-too-long', 'The reason must be text');
export const optionalNotes = optionalText(ADMIN_NOTES_MAX_LENGTH, 'notes-too-long', 'Notes must be text');

/** An optional text in the query string, trimmed; refused with `message`. */
export const optionalQuery = (maxLength: number, message: string): PropertyDecorator =>
  applyDecorators(trimmed, rules.IsString({ message }), rules.MaxLength(maxLength, { message }), rules.IsOptional());

export const optionalOneOf = (values: readonly string[], message: string): PropertyDecorator =>
  applyDecorators(rules.IsIn(values, { message }), rules.IsOptional());

/** An optional whole number from 1 to `max` in the query string; refused with `message`. */
export const optionalNumber = (max: number, message: string): PropertyDecorator =>
  applyDecorators(
    Type(() => Number),
    rules.IsInt({ message }),
    rules.Min(1, { message }),
    rules.Max(max, { message }),
    rules.IsOptional(),
  );

const WITHOUT_RULES = new Set<unknown>([undefined, String, Number, Boolean, Object, Array, Buffer]);

const OPTIONS: rules.ValidatorOptions = {
  whitelist: true,
  stopAtFirstError: true,
  forbidUnknownValues: false,
  validationError: { target: false, value: false },
};

/** Drops unknown fields; refuses with the first broken rule's text and code. Faster than Nest's ValidationPipe. */
export class Validation implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'custom' || WITHOUT_RULES.has(metatype)) return value;
    if (Array.isArray(value)) throw new InvalidRequest('invalid-request');
    // A body of another type than JSON is undefined here.
    const checked = instanceOf(metatype as Class<object>, value ?? {});
    const [broken] = rules.validateSync(checked, OPTIONS);
    if (!broken) return checked;
    const [[rule, text] = []] = Object.entries(broken.constraints ?? {});
    throw new InvalidRequest((rule && broken.contexts?.[rule]?.code) ?? 'invalid-request', text);
  }
}

function instanceOf(metatype: Class<object>, value: unknown): object {
  try {
    return plainToInstance(metatype, value);
  } catch (error) {
    // Nested too deep for the stack: body.ts lets a thousand lists in lists pass.
    if (error instanceof RangeError) throw new InvalidRequest('invalid-request');
    throw error;
  }
}

/** Otherwise class-validator looks through all rules for every object (typestack/class-validator issue 2686). No rule has a group. */
function rememberRules(): void {
  const storage = rules.getMetadataStorage();
  const find = storage.getTargetValidationMetadatas.bind(storage);
  const known = new Map<unknown, ReturnType<typeof find>>();
  storage.getTargetValidationMetadatas = (target, ...options) => {
    const rules = known.get(target) ?? find(target, ...options);
    known.set(target, rules);
    return rules;
  };
}

rememberRules();
