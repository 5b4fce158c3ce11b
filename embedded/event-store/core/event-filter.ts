import { RegexMatcher } from './regex-matcher.js';

/** Which events of `$all` a reader wants. A stream name is asked once for a run of events, a type event by event. */
export interface EventFilter {
  on: 'stream' | 'type';
  matches(text: string): boolean;
}

/** Names come again and again; so many answers of a regex are kept, of names that are not so long that it adds up. */
const KNOWN_ANSWERS = 2_000;
const KNOWN_NAME_LENGTH = 200;

export function prefixFilter(on: EventFilter['on'], prefixes: readonly string[]): EventFilter {
  return { on, matches: (text) => prefixes.some((prefix) => text.startsWith(prefix)) };
}

/** Throws UnsupportedRegexError for a pattern that would not be read alike by the real server. */
export function regexFilter(on: EventFilter['on'], pattern: string): EventFilter {
  const matcher = new RegexMatcher(pattern);
  const answers = new Map<string, boolean>();
  return {
    on,
    matches(text) {
      if (text.length > KNOWN_NAME_LENGTH) return matcher.test(text);
      let answer = answers.get(text);
      if (answer === undefined) {
        answer = matcher.test(text);
        if (answers.size >= KNOWN_ANSWERS) answers.clear();
        answers.set(text, answer);
      }
      return answer;
    },
  };
}
