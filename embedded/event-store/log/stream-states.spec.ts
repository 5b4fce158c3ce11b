import { EMPTY_STREAM } from '../core/stream.js';
import { StreamStates } from './stream-states.js';

describe('the states of streams', () => {
  it('are cached up to a number of streams, and of characters of their names and metadata', async () => {
    const loaded: string[] = [];
    const load = (streams: readonly string[]) => {
      loaded.push(...streams);
      return Promise.resolve([]);
    };
    const states = new StreamStates(load, 3, 20);
    const loadedFor = async (...names: string[]) => {
      for (const name of names) await states.of([name]);
      return loaded.splice(0);
    };
    expect(await loadedFor('a', 'b', 'c', 'a', 'b', 'c')).toEqual(['a', 'b', 'c']);
    expect(await loadedFor('d', 'b', 'a')).toEqual(['d', 'a']);
    expect(await loadedFor('long'.repeat(5), 'd')).toEqual(['long'.repeat(5), 'd']);
    states.commit('d', { ...EMPTY_STREAM, content: { raw: {}, length: 18 } });
    expect(await loadedFor('d', 'long'.repeat(5))).toEqual(['long'.repeat(5)]);
  });
});
