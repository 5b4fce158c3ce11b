/** Canonical JSON (RFC 8785), without undefined members. Throws on values that JSON cannot hold, and on half a surrogate pair. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') return braced(value as Record<string, unknown>);
  throw new Error(`${String(value)} is not JSON`);
}

/** Text without escapes, which is nearly all text: the test is cheaper than escaping. */
const PLAIN = /^[\w :.-]*$/;
const HALF_PAIR = /\p{Surrogate}/u;

function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (HALF_PAIR.test(text)) throw new Error('half a surrogate pair is not JSON');
  return JSON.stringify(text);
}

/** Written member by member, because lists of names and texts take half as long again. */
function braced(members: Record<string, unknown>): string {
  let text = '';
  for (const name of Object.keys(members).sort())
    if (members[name] !== undefined) text += `${text === '' ? '' : ','}${quoted(name)}:${canonicalJson(members[name])}`;
  return `{${text}}`;
}
