import fc from 'fast-check';
import { RegexMatcher } from './regex-matcher.js';
import { UnsupportedRegexError } from './regex-syntax.js';

describe('a regex filter', () => {
  it.each([
    ['^[^$].*', ['ledger', 'a'], ['$metadata', '']],
    ['^gamer-\\d'.replace('\\d', '[0-9]{1,3}$'), ['gamer-1', 'gamer-123'], ['gamer-', 'gamer-1234', 'xgamer-1']],
    ['ab|cd', ['xaby', 'cd'], ['ac', 'bd']],
    ['^(?:a|b)*c?$', ['', 'abba', 'abc'], ['abcc', 'x']],
    ['^a{2}b{1,}$', ['aab', 'aabbb'], ['ab', 'aa']],
    ['[\\]\\-x]', [']', '-', 'x'], ['[', 'y']],
    ['\\u00e9\\x41', ['éA'], ['eA']],
    ['^a.c$', ['abc', 'a\rc'], ['a\nc', 'ac']],
    ['end$', ['end', 'the end\n'], ['end ', 'end\n\n']],
  ])('%s finds what .NET finds', (pattern, found, missed) => {
    const matcher = new RegexMatcher(pattern);
    for (const text of found) expect([text, matcher.test(text)]).toEqual([text, true]);
    for (const text of missed) expect([text, matcher.test(text)]).toEqual([text, false]);
  });

  it.each([
    '\\w+',
    '\\d',
    '\\s',
    '\\bword',
    '(?i)x',
    '(?<name>x)',
    '(?=x)',
    '(a)\\1',
    '\\p{L}',
    '[]x]',
    '[a-z-[aeiou]]',
    'a++',
    'a**',
    'x{',
    '(',
    ')',
    '[a',
    '*',
    '[z-a]',
    'a\\',
    '(?>x)',
    '(x{500}){500}',
    '((){9999}){9999}',
    'x'.repeat(1_001),
  ])('%s is refused', (pattern) => {
    expect(() => new RegexMatcher(pattern)).toThrow(UnsupportedRegexError);
  });

  it('is not kept busy by a pattern that makes backtracking engines hang', () => {
    expect(new RegexMatcher('^(a+)+$').test(`${'a'.repeat(4_000)}!`)).toBe(false);
  });

  it('agrees with JavaScript on whatever both can read', () => {
    const atom = fc.constantFrom('a', 'b', '[ab]', '[^a]', '(a|b)', '(?:ab)', '.', 'c');
    const part = fc.tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '*?')).map(([a, q]) => a + q);
    const pattern = fc
      .tuple(fc.constantFrom('', '^'), fc.array(part, { maxLength: 5 }), fc.constantFrom('', '$'))
      .map(([start, parts, end]) => start + parts.join('') + end);
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        expect(new RegexMatcher(source).test(subject)).toBe(new RegExp(source).test(subject));
      }),
      { numRuns: 500 },
    );
  });
});
