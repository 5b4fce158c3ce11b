import { schemasOf, UnreadableEvent } from './schemas.js';

/** A made-up event, whose version 2 added its colour. */
interface LampLit {
  lamp: number;
  colour?: string;
}
const { schemaOf, readableVersions, assertReadable } = schemasOf({ LampLit: { lamp: 1, colour: 2 } });

/** The upcast: every lamp of version 1 was white. */
const colourOf = ({ colour }: LampLit): string => colour ?? 'white';

it('reads every version, writes the newest one, and upcasts where an event is folded', () => {
  const stored: [LampLit, number][] = [
    [{ lamp: 1 }, 1],
    [{ lamp: 2, colour: 'red' }, schemaOf('LampLit')],
  ];
  for (const [data, schema] of stored) assertReadable('LampLit', data, { schema });
  expect(stored.map(([data, schema]) => [colourOf(data), schema])).toEqual([
    ['white', 1],
    ['red', 2],
  ]);
  expect(readableVersions()).toEqual({ LampLit: 2 });
});

it.each([
  ['an unknown type', 'LampBroken', {}, 1, 'unknown event type LampBroken'],
  ['a newer version', 'LampLit', { lamp: 1 }, 3, 'LampLit of version 3, and this program knows versions 1 to 2'],
  ['no version', 'LampLit', { lamp: 1 }, Number.NaN, 'LampLit of version NaN'],
  ['an unknown field', 'LampLit', { lamp: 1, by: 'x' }, 2, 'LampLit of version 2 with the unknown field by'],
  ['a later field', 'LampLit', { lamp: 1, colour: 'red' }, 1, 'LampLit of version 1 with the unknown field colour'],
])('refuses %s by name and says what to do', (_, type, data, schema, text) => {
  const read = () => assertReadable(type, data, { schema });
  expect(read).toThrow(UnreadableEvent);
  expect(read).toThrow(text);
  expect(read).toThrow('upgrade this node');
});
