/** Which events of `$all` a reader wants. A stream name is asked once for a run of events, a type event by event. */
export interface EventFilter {
  on: 'stream' | 'type';
  matches(text: string): boolean;
}

export function prefixFilter(on: EventFilter['on'], prefixes: readonly string[]): EventFilter {
  return { on, matches: (text) => prefixes.some((prefix) => text.startsWith(prefix)) };
}
