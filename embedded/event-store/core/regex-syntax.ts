/**
 * The regular expressions a filter may use: those that JavaScript, whose users write them, and .NET, which reads them
 * on the real server, understand alike. The rest is refused with a sentence instead of being read in some way.
 */
export class UnsupportedRegexError extends Error {}

/** Inclusive ranges of UTF-16 code units, which is what .NET compares. */
export type CharRange = readonly [from: number, to: number];

export type RegexNode =
  | { kind: 'chars'; ranges: readonly CharRange[] }
  | { kind: 'start' }
  | { kind: 'end' }
  | { kind: 'sequence'; parts: readonly RegexNode[] }
  | { kind: 'choice'; options: readonly RegexNode[] }
  | { kind: 'repeat'; inner: RegexNode; min: number; max: number };

const PATTERN_LIMIT = 1_000;
const NEWLINE = 10;
const LAST_CHAR = 0xffff;
/** In .NET a dot is anything but a line feed. */
const ANY_CHAR: readonly CharRange[] = [
  [0, NEWLINE - 1],
  [NEWLINE + 1, LAST_CHAR],
];
const CONTROL_ESCAPES: Readonly<Record<string, number>> = { t: 9, n: NEWLINE, v: 11, f: 12, r: 13 };

export function parseRegex(pattern: string): RegexNode {
  if (pattern.length > PATTERN_LIMIT) throw new UnsupportedRegexError(`A regex may have ${PATTERN_LIMIT} characters.`);
  const parser = new RegexParser(pattern);
  const node = parser.choice();
  if (!parser.done) throw new UnsupportedRegexError('There is a ) too many.');
  return node;
}

class RegexParser {
  private at = 0;

  constructor(private readonly pattern: string) {}

  get done(): boolean {
    return this.at >= this.pattern.length;
  }

  choice(): RegexNode {
    const options = [this.sequence()];
    while (this.take('|')) options.push(this.sequence());
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  private sequence(): RegexNode {
    const parts: RegexNode[] = [];
    while (!this.done && this.peek() !== '|' && this.peek() !== ')') parts.push(this.repeated());
    return { kind: 'sequence', parts };
  }

  private repeated(): RegexNode {
    const inner = this.atom();
    const bounds = this.bounds();
    if (bounds === undefined) return inner;
    if (inner.kind === 'start' || inner.kind === 'end')
      throw new UnsupportedRegexError('An anchor cannot be repeated.');
    // A lazy quantifier finds the same strings.
    this.take('?');
    if (['*', '+', '?', '{'].includes(this.peek()))
      throw new UnsupportedRegexError('Two quantifiers follow each other.');
    return { kind: 'repeat', inner, ...bounds };
  }

  private bounds(): { min: number; max: number } | undefined {
    if (this.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.take('?')) return { min: 0, max: 1 };
    if (this.peek() !== '{') return undefined;
    const match = /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(this.pattern.slice(this.at));
    if (match === null) throw new UnsupportedRegexError('A { that is no quantifier must be escaped.');
    this.at += match[0].length;
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === undefined ? Number.POSITIVE_INFINITY : Number(match[3]);
    if (max < min) throw new UnsupportedRegexError(`${match[0]} is out of order.`);
    return { min, max };
  }

  private atom(): RegexNode {
    const char = this.next();
    switch (char) {
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '.':
        return { kind: 'chars', ranges: ANY_CHAR };
      case '(':
        return this.group();
      case '[':
        return { kind: 'chars', ranges: this.charClass() };
      case '\\':
        return single(this.escape());
      case '*':
      case '+':
      case '?':
      case '{':
        throw new UnsupportedRegexError(`There is nothing for ${char} to repeat.`);
      default:
        return single(char.charCodeAt(0));
    }
  }

  private group(): RegexNode {
    if (this.take('?') && !this.take(':')) {
      throw new UnsupportedRegexError('Of the groups that begin with (? only (?: is supported.');
    }
    const inner = this.choice();
    if (!this.take(')')) throw new UnsupportedRegexError('A ) is missing.');
    return inner;
  }

  private charClass(): CharRange[] {
    const negated = this.take('^');
    const ranges: CharRange[] = [];
    // An empty class matches nothing in JavaScript, while .NET takes the ] for a member.
    if (this.peek() === ']') throw new UnsupportedRegexError('A ] at the beginning of a class must be escaped.');
    while (!this.take(']')) ranges.push(this.classRange());
    return negated ? complement(ranges) : ranges;
  }

  private classRange(): CharRange {
    const from = this.classChar();
    if (this.peek() !== '-' || this.pattern[this.at + 1] === ']') return [from, from];
    this.at++;
    // [a-z-[aeiou]] takes characters away in .NET.
    if (this.peek() === '[') throw new UnsupportedRegexError('A [ after - in a class must be escaped.');
    const to = this.classChar();
    if (to < from) throw new UnsupportedRegexError('The range in a class is out of order.');
    return [from, to];
  }

  private classChar(): number {
    const char = this.next();
    if (char === '-' && this.peek() === '[') throw new UnsupportedRegexError('A [ after - in a class must be escaped.');
    return char === '\\' ? this.escape() : char.charCodeAt(0);
  }

  /** After the backslash. */
  private escape(): number {
    const char = this.next();
    const control = CONTROL_ESCAPES[char];
    if (control !== undefined) return control;
    if (char === 'x') return this.hex(2);
    if (char === 'u') return this.hex(4);
    // Classes such as \w and \d mean all of Unicode in .NET; \b is built on them; the rest only one of the two knows.
    if (/[A-Za-z0-9]/.test(char)) {
      throw new UnsupportedRegexError(`\\${char} is not read alike everywhere; write out what it stands for.`);
    }
    return char.charCodeAt(0);
  }

  private hex(digits: number): number {
    const text = this.pattern.slice(this.at, this.at + digits);
    if (!new RegExp(`^[0-9a-fA-F]{${digits}}$`).test(text)) throw new UnsupportedRegexError('An escape is cut off.');
    this.at += digits;
    return Number.parseInt(text, 16);
  }

  private peek(): string {
    return this.pattern[this.at] ?? '';
  }

  private take(char: string): boolean {
    if (this.peek() !== char) return false;
    this.at++;
    return true;
  }

  private next(): string {
    if (this.done) throw new UnsupportedRegexError('The regex is cut off.');
    return this.pattern[this.at++]!;
  }
}

function single(code: number): RegexNode {
  return { kind: 'chars', ranges: [[code, code]] };
}

function complement(ranges: readonly CharRange[]): CharRange[] {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const gaps: CharRange[] = [];
  let next = 0;
  for (const [from, to] of sorted) {
    if (from > next) gaps.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= LAST_CHAR) gaps.push([next, LAST_CHAR]);
  return gaps;
}
