/** The part of JSON Schema (OpenAPI 3.1) that requests and answers of ours need. */
export interface Schema {
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';
  description?: string;
  enum?: (string | number | boolean)[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  required?: string[];
  anyOf?: Schema[];
  $ref?: string;
}

export const shapeRef = (name: string): string => `#/components/schemas/${name}`;
