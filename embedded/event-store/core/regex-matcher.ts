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
 * hang, as a backtracking engine can with `(a+)+$`.
 */
export class RegexMatcher {
  private readonly states: State[] = [];
  private compiled = 0;
  private readonly first: number;
  /** In which step a state was last entered, so that none is entered twice in a step. */
  private readonly entered: Int32Array;

  constructor(pattern: string) {
    const found = this.add({ kind: 'found' });
    this.first = this.compile(parseRegex(pattern), found);
    this.entered = new Int32Array(this.states.length);
  }

  /** Whether the pattern is found anywhere in the text. */
  test(text: string): boolean {
    this.entered.fill(-1);
    let current: number[] = [];
    for (let at = 0; at <= text.length; at++) {
      // A match may begin at every character.
      if (this.enter(this.first, at, text, current)) return true;
      if (at === text.length) return false;
      const code = text.charCodeAt(at);
      const following: number[] = [];
      for (const index of current) {
        const state = this.states[index]!;
        if (state.kind !== 'chars' || !contains(state.ranges, code)) continue;
        if (this.enter(state.next, at + 1, text, following)) return true;
      }
      current = following;
    }
    return false;
  }

  /** Adds the states reached without reading a character. @returns whether the match is found */
  private enter(start: number, at: number, text: string, into: number[]): boolean {
    const open = [start];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (this.entered[index] === at) continue;
      this.entered[index] = at;
      const state = this.states[index]!;
      if (state.kind === 'found') return true;
      if (state.kind === 'chars') into.push(index);
      else if (state.kind === 'fork') open.push(state.next, state.other);
      else if (state.kind === 'start' ? at === 0 : isEnd(at, text)) open.push(state.next);
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
  return ranges.some(([from, to]) => code >= from && code <= to);
}
