import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import type { Schema } from './schema.js';

/** What each validator demands, as JSON Schema. */
const DEMANDS: Record<string, (constraints: readonly unknown[]) => Schema> = {
  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isIn: ([allowed]) => ({ enum: [...(allowed as readonly string[])] }),
  isNotEmpty: () => ({ minLength: 1 }),
  min: ([minimum]) => ({ minimum: minimum as number }),
  max: ([maximum]) => ({ maximum: maximum as number }),
  maxLength: ([maxLength]) => ({ maxLength: maxLength as number }),
  isOptional: () => ({}),
};

/**
 * The shape of a request that a class is validated by: its validators are all there is to know. Of several demands of a
 * kind the strictest counts. Throws on a validator that it does not know.
 */
export function schemaOfClass(dto: Type): Schema & { properties: Record<string, Schema>; required: string[] } {
  const properties: Record<string, Schema> = {};
  const optional = new Set<string>();
  for (const { propertyName, name = '', constraints } of getMetadataStorage().getTargetValidationMetadatas(
    dto,
    '',
    true,
    false,
  )) {
    const demand = DEMANDS[name]?.(constraints ?? []);
    if (!demand) throw new Error(`${dto.name}.${propertyName}: ${name} is not described`);
    if (name === 'isOptional') optional.add(propertyName);
    properties[propertyName] = strictest(properties[propertyName] ?? {}, demand);
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
