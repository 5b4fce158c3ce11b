import { createContext, Script } from 'node:vm';

/** Decides which events of `$all` a reader gets: by stream name, tested once per run of events, or by event type. */
export interface EventFilter {
  on: 'stream' | 'type';
  matches(text: string): boolean;
}

/** The pattern is no regular expression, or one test of it took too long. */
export class BadRegexError extends Error {}

/** One test may take this long: a pattern such as `(a+)+$` would otherwise block the server. */
const TEST_TIMEOUT_MS = 50;
const MAX_TRIES = 3;
/** The answers for this many texts, each up to this length, are cached: the same names come again and again. */
const KNOWN_ANSWERS = 2_000;
const KNOWN_TEXT_LENGTH = 200;

const TEST = new Script('regex.test(text)');

export function prefixFilter(on: EventFilter['on'], prefixes: readonly string[]): EventFilter {
  return { on, matches: (text) => prefixes.some((prefix) => text.startsWith(prefix)) };
}

/** Throws BadRegexError for a pattern that is no regular expression; `matches` throws it for one that is too slow. */
export function regexFilter(on: EventFilter['on'], pattern: string): EventFilter {
  const context = createContext({ regex: compiled(pattern), text: '' });
  const answers = new Map<string, boolean>();
  const test = (text: string): boolean => {
    context.text = text;
    // The time is the wall clock's: on a busy machine one test of a harmless regex can take too long, but not all.
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      try {
        return TEST.runInContext(context, { timeout: TEST_TIMEOUT_MS }) as boolean;
      } catch {}
    }
    throw new BadRegexError(`the regex needs more than ${TEST_TIMEOUT_MS} ms for one name`);
  };
  return {
    on,
    matches(text) {
      const known = answers.get(text);
      if (known !== undefined) return known;
      const answer = test(text);
      if (answers.size >= KNOWN_ANSWERS) answers.clear();
      if (text.length <= KNOWN_TEXT_LENGTH) answers.set(text, answer);
      return answer;
    },
  };
}

function compiled(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch (error) {
    throw new BadRegexError((error as Error).message);
  }
}
