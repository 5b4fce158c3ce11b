import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { LIMIT_PERIODS, MAX_LIMIT_CENTS } from '../../../../contracts/limits.js';

/** The part of JSON Schema (OpenAPI 3.1) that requests and responses use. */
export interface Schema {
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';
  description?: string;
  enum?: (string | number | boolean)[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  required?: string[];
  anyOf?: Schema[];
  $ref?: string;
}

export const shapeRef = (name: string): string => `#/components/schemas/${name}`;

const LIMIT: Schema = {
  anyOf: [{ type: 'integer', minimum: 0, maximum: MAX_LIMIT_CENTS }, { type: 'null' }],
};

const SCHEMAS: Record<string, (constraints: readonly unknown[]) => Schema> = {
  isString: () => ({ type: 'string' }),
  isArray: () => ({ type: 'array' }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isIn: ([allowed]) => ({ enum: [...(allowed as readonly string[])] }),
  isNotEmpty: () => ({ minLength: 1 }),
  min: ([minimum]) => ({ minimum: minimum as number }),
  max: ([maximum]) => ({ maximum: maximum as number }),
  maxLength: ([maxLength]) => ({ maxLength: maxLength as number }),
  matches: ([pattern]) => ({ type: 'string', pattern: (pattern as RegExp).source }),
  isOptional: () => ({}),
  limitsOfAKind: () => ({
    type: 'object',
    properties: Object.fromEntries(LIMIT_PERIODS.map((period) => [period, LIMIT])),
    required: [...LIMIT_PERIODS],
  }),
};

/** The JSON Schema of a request class; of several bounds the strictest. Throws on a validator not in SCHEMAS. */
export function schemaOfClass(dto: Type): Schema & { properties: Record<string, Schema>; required: string[] } {
  const properties: Record<string, Schema> = {};
  const optional = new Set<string>();
  for (const { propertyName, name = '', constraints } of getMetadataStorage().getTargetValidationMetadatas(
    dto,
    '',
    true,
    false,
  )) {
    const schema = SCHEMAS[name]?.(constraints ?? []);
    if (!schema) throw new Error(`${dto.name}.${propertyName}: ${name} has no schema here`);
    if (name === 'isOptional') optional.add(propertyName);
    properties[propertyName] = strictest(properties[propertyName] ?? {}, schema);
  }
  for (const schema of Object.values(properties)) if (schema.type !== 'string') delete schema.minLength;
  const required = Object.keys(properties).filter((name) => !optional.has(name));
  return { type: 'object', properties, required };
}

function strictest(one: Schema, other: Schema): Schema {
  const both = { ...one, ...other };
  if (one.minimum !== undefined && other.minimum !== undefined) both.minimum = Math.max(one.minimum, other.minimum);
  if (one.maximum !== undefined && other.maximum !== undefined) both.maximum = Math.min(one.maximum, other.maximum);
  return both;
}
