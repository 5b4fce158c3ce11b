import { type CharRange, parseRegex, type RegexNode, UnsupportedRegexError } from './regex-syntax.js';

const NEWLINE = 10;
/** States times characters is what a match may cost, so both are limited. */
const STATES_LIMIT = 500;
/** Empty groups repeated within each other make no states, but work. */
const NODES_LIMIT = 10_000;

type State =
  | { kind: 'chars'; ranges: readonly CharRange[]; next: number }
  | { kind: 'fork'; next: number; other: number }
  | { kind: 'start' | 'end'; next: number }
  | { kind: 'found' };

/**
 * A regex compiled to an automaton that reads each character once, whatever the pattern: no filter can make the server
 * hang, as a backtracking engine can with `(a+)+$`. A match costs at most states times characters, and makes no garbage.
 */
export class RegexMatcher {
  private readonly states: State[] = [];
  private compiled = 0;
  private readonly first: number;
  /** In which step a state was last entered, so that none is entered twice in a step. */
  private readonly entered: Int32Array;
  /** The states that wait for the next character, and for the one after it. */
  private current: Int32Array;
  private following: Int32Array;
  private followingCount = 0;
  /** States yet to be entered in this step: each that is entered adds two at most. */
  private readonly open: Int32Array;

  constructor(pattern: string) {
    const found = this.add({ kind: 'found' });
    this.first = this.compile(parseRegex(pattern), found);
    this.entered = new Int32Array(this.states.length);
    this.current = new Int32Array(this.states.length);
    this.following = new Int32Array(this.states.length);
    this.open = new Int32Array(2 * this.states.length + 1);
  }

  /** Whether the pattern is found anywhere in the text. */
  test(text: string): boolean {
    this.entered.fill(-1);
    this.followingCount = 0;
    for (let at = 0; at <= text.length; at++) {
      // A match may begin at every character.
      if (this.enter(this.first, at, text)) return true;
      if (at === text.length) return false;
      const count = this.followingCount;
      [this.current, this.following] = [this.following, this.current];
      this.followingCount = 0;
      if (this.read(count, text, at)) return true;
    }
    return false;
  }

  /** Reads a character in the current states. @returns whether the match is found */
  private read(count: number, text: string, at: number): boolean {
    const code = text.charCodeAt(at);
    for (let index = 0; index < count; index++) {
      const state = this.states[this.current[index]!]!;
      if (state.kind === 'chars' && contains(state.ranges, code) && this.enter(state.next, at + 1, text)) return true;
    }
    return false;
  }

  /** Adds the states reached without reading a character. @returns whether the match is found */
  private enter(start: number, at: number, text: string): boolean {
    const { open, entered, states } = this;
    let left = 0;
    open[left++] = start;
    while (left > 0) {
      const index = open[--left]!;
      if (entered[index] === at) continue;
      entered[index] = at;
      const state = states[index]!;
      if (state.kind === 'found') return true;
      if (state.kind === 'chars') this.following[this.followingCount++] = index;
      else if (state.kind === 'fork') {
        open[left++] = state.next;
        open[left++] = state.other;
      } else if (state.kind === 'start' ? at === 0 : isEnd(at, text)) open[left++] = state.next;
    }
    return false;
  }

  /** Builds from the back. @returns the state in which the node begins, when `next` follows it */
  private compile(node: RegexNode, next: number): number {
    if (++this.compiled > NODES_LIMIT) throw new UnsupportedRegexError('The regex is too large.');
    switch (node.kind) {
      case 'chars':
        return this.add({ kind: 'chars', ranges: node.ranges, next });
      case 'start':
      case 'end':
        return this.add({ kind: node.kind, next });
      case 'sequence':
        return node.parts.reduceRight((after, part) => this.compile(part, after), next);
      case 'choice':
        return node.options
          .map((option) => this.compile(option, next))
          .reduce((other, option) => this.add({ kind: 'fork', next: option, other }));
      case 'repeat':
        return this.compileRepeat(node, next);
    }
  }

  private compileRepeat({ inner, min, max }: Extract<RegexNode, { kind: 'repeat' }>, next: number): number {
    let begin = next;
    if (max === Number.POSITIVE_INFINITY) {
      const loop: Extract<State, { kind: 'fork' }> = { kind: 'fork', next, other: next };
      begin = this.add(loop);
      loop.other = this.compile(inner, begin);
    } else {
      for (let count = min; count < max; count++) {
        begin = this.add({ kind: 'fork', next: this.compile(inner, begin), other: next });
      }
    }
    for (let count = 0; count < min; count++) begin = this.compile(inner, begin);
    return begin;
  }

  private add(state: State): number {
    if (this.states.length >= STATES_LIMIT) throw new UnsupportedRegexError('The regex is too large.');
    return this.states.push(state) - 1;
  }
}

/** In .NET a dollar also holds before a line feed that ends the text. */
function isEnd(at: number, text: string): boolean {
  return at === text.length || (at === text.length - 1 && text.charCodeAt(at) === NEWLINE);
}

function contains(ranges: readonly CharRange[], code: number): boolean {
  for (let index = 0; index < ranges.length; index++) {
    const range = ranges[index]!;
    if (code >= range[0] && code <= range[1]) return true;
  }
  return false;
}
