import { BadRegexError, prefixFilter, regexFilter } from './event-filter.js';

describe('a filter', () => {
  it('by prefixes matches texts that begin with one of them', () => {
    const filter = prefixFilter('stream', ['ledger', 'gamer-']);
    expect(['ledger', 'gamer-7', 'gamer', '$ledger'].map(filter.matches)).toEqual([true, true, false, false]);
  });

  it.each([
    ['^pick(ed|le)-', ['picked-1', 'a-picked-1', 'pickle-2'], [true, false, true]],
    ['(?=x)', ['axb', 'ab'], [true, false]],
    ['^\\w+$', ['word', 'two words'], [true, false]],
  ])('by the regex %s matches as JavaScript does', (pattern, texts, answers) => {
    const { matches } = regexFilter('stream', pattern);
    expect(texts.map(matches)).toEqual(answers);
    expect(texts.map(matches)).toEqual(answers);
  });

  it('refuses a pattern that is no regex', () => {
    expect(() => regexFilter('stream', '(?=')).toThrow(BadRegexError);
  });

  it('gives up a regex that would block the server', () => {
    const { matches } = regexFilter('stream', '^(a+)+$');
    expect(() => matches(`${'a'.repeat(60)}b`)).toThrow(BadRegexError);
  });
});
