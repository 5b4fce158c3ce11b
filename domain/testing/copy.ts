/** A copy that shares nothing with the original: what a state was, to compare with what it is. */
export function copyOf<T>(value: T): T {
  return copied(value) as T;
}

function copied(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return Buffer.from(value);
  if (value instanceof Map) return new Map([...value].map(([key, entry]) => [copied(key), copied(entry)]));
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, copied(field)]));
}
