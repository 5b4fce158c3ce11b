import { EMPTY_STREAM } from '../core/stream-state.js';
import { StreamStates } from './stream-states.js';

describe('the states of streams', () => {
  it('are remembered up to so many streams, and so many characters of their names and metadata', async () => {
    const asked: string[] = [];
    const load = (streams: readonly string[]) => {
      asked.push(...streams);
      return Promise.resolve([]);
    };
    const states = new StreamStates(load, 3, 20);
    const look = async (...names: string[]) => {
      for (const name of names) await states.of([name]);
      return asked.splice(0);
    };
    expect(await look('a', 'b', 'c', 'a', 'b', 'c')).toEqual(['a', 'b', 'c']);
    expect(await look('d', 'b', 'a')).toEqual(['d', 'a']);
    expect(await look('long'.repeat(5), 'd')).toEqual(['long'.repeat(5), 'd']);
    states.commit('d', { ...EMPTY_STREAM, content: { raw: {}, length: 18 } });
    expect(await look('d', 'long'.repeat(5))).toEqual(['long'.repeat(5)]);
  });
});
