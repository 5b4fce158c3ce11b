import { EventStoreDBClient } from '@eventstore/db-client';
import { convertGrpcEvent } from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { caseCount } from '../contracts/testing/case-count.js';
import { convert, decodeReadResponse, openFastClient } from './fast-client.js';

const { ReadResp } = streams;
const { ReadEvent } = ReadResp;
type ReadResp = InstanceType<typeof ReadResp>;
type Recorded = InstanceType<typeof ReadEvent.RecordedEvent>;

const decodeSlowly = ReadResp.deserializeBinary;
const decode = (bytes: Uint8Array): ReadResp => decodeReadResponse(Buffer.from(bytes));

/** The event without `dataText`, which the client's own conversion does not have. */
function converted(response: ReadResp) {
  const resolved = convert(response.getEvent() as InstanceType<typeof ReadEvent>);
  if (resolved.event === undefined || !('dataText' in resolved.event)) return resolved;
  const { dataText, ...event } = resolved.event;
  if (event.isJson) expect(JSON.parse(dataText as string)).toEqual(event.data);
  return { ...resolved, event };
}

const convertedSlowly = (response: ReadResp) => convertGrpcEvent(response.getEvent() as InstanceType<typeof ReadEvent>);

interface Sent {
  id: string;
  stream: string;
  revision: bigint;
  position: bigint | null;
  type: string;
  contentType: string;
  data: Uint8Array;
  metadata: Uint8Array;
}

const json = fc.json().map((text) => Buffer.from(text));
const sent: fc.Arbitrary<Sent> = fc.record({
  id: fc.uuid(),
  stream: fc.string({ unit: 'grapheme', minLength: 1 }),
  revision: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  position: fc.option(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })),
  type: fc.string({ unit: 'grapheme' }),
  contentType: fc.constantFrom('application/json', 'application/octet-stream'),
  data: fc.oneof(json, fc.uint8Array()),
  metadata: fc.oneof(json, fc.uint8Array()),
});

function recordedOf({ id, stream, revision, position, type, contentType, data, metadata }: Sent) {
  const event = new ReadEvent.RecordedEvent();
  event.setId(new shared.UUID().setString(id));
  event.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)));
  event.setStreamRevision(String(revision));
  event.setCommitPosition(String(position ?? 0n)).setPreparePosition(String(position ?? 0n));
  event.getMetadataMap().set('type', type).set('content-type', contentType).set('created', '638000000000000000');
  event.setData(data).setCustomMetadata(metadata);
  return event;
}

function responseOf(one: Sent): ReadResp {
  const event = new ReadEvent().setEvent(recordedOf(one));
  if (one.position === null) event.setNoPosition(new shared.Empty());
  else event.setCommitPosition(String(one.position));
  return new ReadResp().setEvent(event);
}

/** An event that is decoded without google-protobuf. */
const plain = (): Sent => ({
  ...fc.sample(sent, 1)[0]!,
  type: 'T',
  revision: 7n,
  position: 7n,
  contentType: 'application/json',
  data: Buffer.from('{"a":"ä"}'),
  metadata: Buffer.from('{"b":1}'),
});

describe('reading events without google-protobuf', () => {
  it('returns the same event as the client', () => {
    fc.assert(
      fc.property(sent, (one) => {
        const bytes = responseOf(one).serializeBinary();
        expect(converted(decode(bytes))).toEqual(convertedSlowly(decodeSlowly(bytes)));
      }),
      { numRuns: caseCount(50, 5_000) },
    );
  });

  it.each([2n ** 53n - 1n, 2n ** 14n])('decodes a plain event at %s without google-protobuf', (position) => {
    const response = decode(responseOf({ ...plain(), position }).serializeBinary());
    expect(response).not.toBeInstanceOf(ReadResp);
    expect(converted(response).event?.position?.commit).toBe(position);
  });

  it.each<[string, (one: Sent) => ReadResp]>([
    ['a link', (one) => new ReadResp().setEvent(new ReadEvent().setLink(recordedOf(one)).setCommitPosition('7'))],
    [
      'an id as two 64-bit integers',
      (one) => changed(one, (recorded) => recorded.setId(new shared.UUID().setStructured(STRUCTURED))),
    ],
    ['an event without an id', (one) => changed(one, (recorded) => recorded.clearId())],
    ['an event without a stream', (one) => changed(one, (recorded) => recorded.clearStreamIdentifier())],
    ['a checkpoint', () => new ReadResp().setCheckpoint(new ReadResp.Checkpoint().setCommitPosition('7'))],
    ['caught up', () => new ReadResp().setCaughtUp(new ReadResp.CaughtUp())],
    ['nothing', () => new ReadResp()],
  ])('leaves %s to the client', (_name, make) => {
    const bytes = make(plain()).serializeBinary();
    expect(decode(bytes)).toBeInstanceOf(ReadResp);
    expect(decode(bytes).toObject()).toEqual(decodeSlowly(bytes).toObject());
  });

  it('decodes an event that is cut off or has a wrong bit as the client does, wherever that is', () => {
    const bytes = responseOf({ ...plain(), stream: 's', data: Buffer.from('{"a":1}') }).serializeBinary();
    const expectSame = (wrong: Uint8Array) =>
      expect([wrong, outcomeOf(decode, converted, wrong)]).toEqual([
        wrong,
        outcomeOf(decodeSlowly, convertedSlowly, wrong),
      ]);
    for (const [index, byte] of bytes.entries()) {
      expectSame(bytes.slice(0, index));
      // No eighth bit in texts, which are UTF-8: the decoders read other texts differently.
      for (let bit = 0; bit < (byte < 32 ? 8 : 7); bit += 1) expectSame(bytes.with(index, byte ^ (1 << bit)));
    }
  });
});

const STRUCTURED = new shared.UUID.Structured().setMostSignificantBits('1').setLeastSignificantBits('2');

function changed(one: Sent, change: (recorded: Recorded) => unknown): ReadResp {
  const recorded = recordedOf(one);
  change(recorded);
  return new ReadResp().setEvent(new ReadEvent().setEvent(recorded).setCommitPosition('7'));
}

function outcomeOf(decoder: typeof decode, convertEvent: (response: ReadResp) => unknown, bytes: Uint8Array): unknown {
  try {
    const response = decoder(bytes);
    return response.hasEvent() ? convertEvent(response) : response.toObject();
  } catch (error) {
    return String(error);
  }
}

it.each([
  ['esdb://127.0.0.1', 'esdb://127.0.0.1?gossipTimeout=1'],
  ['esdb://127.0.0.1?tls=false', 'esdb://127.0.0.1?tls=false&gossipTimeout=1'],
  ['esdb://127.0.0.1?gossipTimeout=7', 'esdb://127.0.0.1?gossipTimeout=7'],
  ['esdb://127.0.0.1?tls=false&gossiptimeout=7', 'esdb://127.0.0.1?tls=false&gossiptimeout=7'],
])('opens %s with a short wait for gossip and a wide read window', async (given, opened) => {
  const open = jest.spyOn(EventStoreDBClient, 'connectionString');
  const client = openFastClient(given) as unknown as { createChannel(): Promise<{ internalChannel: object }> };
  expect(open).toHaveBeenLastCalledWith(opened);
  const options = { 'grpc-node.flow_control_window': 524_288, 'grpc.max_reconnect_backoff_ms': 1_000 };
  expect((await client.createChannel()).internalChannel).toMatchObject({ options });
});
