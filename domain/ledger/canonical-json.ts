/**
 * Canonical JSON (RFC 8785): no spaces, members sorted by the UTF-16 units of their names, numbers and strings as
 * JSON.stringify writes them. Undefined members are left out. Throws on values that JSON cannot hold, and on half a
 * surrogate pair. The spec compares it with a package.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      if (!Number.isFinite(value)) throw new Error(`${value} is not JSON`);
      return String(value);
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value)
        ? `[${value.map(canonicalJson).join(',')}]`
        : braced(value as Record<string, unknown>);
    default:
      throw new Error(`a ${typeof value} is not JSON`);
  }
}

/** Text without escapes, which is nearly all text: the test is cheaper than escaping. */
const PLAIN = /^[\w :.-]*$/;
const HALF_PAIR = /\p{Surrogate}/u;

function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (HALF_PAIR.test(text)) throw new Error('half a surrogate pair is not JSON');
  return JSON.stringify(text);
}

function braced(members: Record<string, unknown>): string {
  const names = Object.keys(members).filter((name) => members[name] !== undefined);
  const texts = names.sort().map((name) => `${quoted(name)}:${canonicalJson(members[name])}`);
  return `{${texts.join(',')}}`;
}
