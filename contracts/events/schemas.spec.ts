import { type DataOf, since, text } from './fields.js';
import { eventVersions, UnreadableEvent } from './schemas.js';

/** A made-up event, whose version 2 added its tone. */
const BellRung = { bell: text, tone: since(2, text) };
type BellRung = DataOf<typeof BellRung>;
const { currentVersionOf, readableVersions, assertReadable } = eventVersions({ BellRung });

/** The upcast: every bell of version 1 was low. */
const toneOf = ({ tone }: BellRung): string => tone ?? 'low';

it('reads every version, writes the newest one, and upcasts where an event is folded', () => {
  const stored: [BellRung, number][] = [
    [{ bell: 'A' }, 1],
    [{ bell: 'B', tone: 'high' }, currentVersionOf('BellRung')],
  ];
  for (const [data, schema] of stored) assertReadable('BellRung', data, { schema });
  expect(stored.map(([data, schema]) => [toneOf(data), schema])).toEqual([
    ['low', 1],
    ['high', 2],
  ]);
  expect(readableVersions()).toEqual({ BellRung: 2 });
});

it.each([
  ['an unknown type', 'BellBroken', {}, 1, 'unknown event type BellBroken'],
  ['a newer version', 'BellRung', { bell: 1 }, 3, 'BellRung of version 3, and this program knows versions 1 to 2'],
  ['no version', 'BellRung', { bell: 1 }, Number.NaN, 'BellRung of version NaN'],
  ['an unknown field', 'BellRung', { bell: 1, by: 'x' }, 2, 'BellRung of version 2 with the unknown field by'],
  ['a later field', 'BellRung', { bell: 1, tone: 'high' }, 1, 'BellRung of version 1 with the unknown field tone'],
])('refuses %s by name and says what to do', (_, type, data, schema, text) => {
  const read = () => assertReadable(type, data, { schema });
  expect(read).toThrow(UnreadableEvent);
  expect(read).toThrow(text);
  expect(read).toThrow('upgrade this node');
});
