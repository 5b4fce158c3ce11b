/**
 * Canonical JSON (RFC 8785): no spaces, and members in the order of their names' UTF-16 units; numbers and strings are as
 * JSON.stringify writes them. Every ledger event is written this way when it is decided and whenever it is replayed, so
 * this is ours: the package `canonicalize`, which the spec holds it against, takes more than twice as long.
 * Members that are undefined do not exist. Throws on what is no JSON, and on text with half a surrogate pair.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      if (!Number.isFinite(value)) throw new Error(`${value} is no JSON`);
      return String(value);
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? listed(value) : braced(value as Record<string, unknown>);
    default:
      throw new Error(`a ${typeof value} is no JSON`);
  }
}

/** Nearly all text there is: it needs no escapes, and to see that is cheaper than to escape it. */
const PLAIN = /^[\w :.-]*$/;
const HALF_A_PAIR = /\p{Surrogate}/u;

function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (HALF_A_PAIR.test(text)) throw new Error('half a surrogate pair is no JSON');
  return JSON.stringify(text);
}

function listed(values: unknown[]): string {
  let text = '[';
  for (let index = 0; index < values.length; index += 1) text += (index > 0 ? ',' : '') + canonicalJson(values[index]);
  return `${text}]`;
}

function braced(members: Record<string, unknown>): string {
  let text = '';
  for (const name of inOrder(Object.keys(members))) {
    const value = members[name];
    if (value !== undefined) text += `${text === '' ? '' : ','}${quoted(name)}:${canonicalJson(value)}`;
  }
  return `{${text}}`;
}

/** Insertion sort, in place: for a dozen names it takes a third of the built-in sort's time. */
function inOrder(names: string[]): string[] {
  for (let index = 1; index < names.length; index += 1) {
    const name = names[index] as string;
    let place = index;
    for (; place > 0 && (names[place - 1] as string) > name; place -= 1) names[place] = names[place - 1] as string;
    names[place] = name;
  }
  return names;
}
