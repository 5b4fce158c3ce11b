import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';
import timestampPb from 'google-protobuf/google/protobuf/timestamp_pb.js';
import { caseCount } from '../../../contracts/testing/case-count.js';
import { MalformedMessageError } from '../log/protobuf.js';
import { decodeBatchAppend } from './append-requests.js';

const correlationId = '11111111-2222-4333-8444-555555555555';
const eventId = '0f0e0d0c-0b0a-4908-8706-050403020100';

function uuid(text: string) {
  const message = new shared.UUID();
  message.setString(text);
  return message;
}

function proposed(type: string | undefined, data: string) {
  const event = new streams.BatchAppendReq.ProposedMessage();
  event.setId(uuid(eventId));
  if (type !== undefined) event.getMetadataMap().set('type', type);
  event.getMetadataMap().set('content-type', 'application/json');
  event.setData(Buffer.from(data));
  event.setCustomMetadata(Buffer.from('meta'));
  return event;
}

function batch() {
  const name = new shared.StreamIdentifier();
  name.setStreamName(Buffer.from('gamer-ü'));
  const deadline = new timestampPb.Timestamp();
  deadline.setSeconds(1_000);
  deadline.setNanos(500_000_000);
  const options = new streams.BatchAppendReq.Options();
  options.setStreamIdentifier(name);
  options.setDeadline(deadline);
  const request = new streams.BatchAppendReq();
  request.setCorrelationId(uuid(correlationId));
  request.setOptions(options);
  request.setIsFinal(true);
  return { request, options };
}

const bytesOf = (message: { serializeBinary(): Uint8Array }) => Buffer.from(message.serializeBinary());

describe('reading a BatchAppend message', () => {
  it('finds everything the generated class writes', () => {
    const { request, options } = batch();
    options.setStreamPosition('41');
    request.addProposedMessages(proposed('A', '{"a":1}'));
    request.addProposedMessages(proposed('Bee', '{}'));
    const decoded = decodeBatchAppend(bytesOf(request));
    expect(decoded).toMatchObject({ correlationId, isFinal: true, refusal: undefined });
    expect(decoded.options).toEqual({ stream: 'gamer-ü', expectation: 41, deadlineMs: 1_000_500 });
    const [first, second] = decoded.events;
    expect(first!.id).toBe(eventId);
    expect(first!.data.toString()).toBe('{"a":1}');
    expect(first!.metadata.toString()).toBe('meta');
    expect(second!.type.toString()).toBe('Bee');
    expect(second!.contentType.toString()).toBe('application/json');
    expect(second!.data.toString()).toBe('{}');
  });

  it('knows the expectations', () => {
    const { request, options } = batch();
    const expectation = () => decodeBatchAppend(bytesOf(request)).options?.expectation;
    options.setNoStream(new emptyPb.Empty());
    expect(expectation()).toBe('no-stream');
    options.setAny(new emptyPb.Empty());
    expect(expectation()).toBe('any');
    options.setStreamExists(new emptyPb.Empty());
    expect(expectation()).toBe('stream-exists');
  });

  it('reports an event without a type, and still finds the end of the append', () => {
    const { request, options } = batch();
    options.setAny(new emptyPb.Empty());
    request.addProposedMessages(proposed(undefined, '{}'));
    expect(decodeBatchAppend(bytesOf(request))).toMatchObject({
      isFinal: true,
      refusal: { message: 'An event lacks the metadata type.' },
    });
  });

  it('throws only MalformedMessageError, whatever the bytes are', () => {
    const { request, options } = batch();
    options.setAny(new emptyPb.Empty());
    request.addProposedMessages(proposed('A', '{}'));
    const good = bytesOf(request);
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length), (at, byte, length) => {
        const bad = Buffer.from(good.subarray(0, length));
        if (at < length) bad[at] = byte;
        try {
          decodeBatchAppend(bad);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedMessageError);
        }
      }),
      { numRuns: caseCount(2_000) },
    );
  });
});

describe('an event that the real server refuses', () => {
  it.each([
    ['without a type', proposed('', '{}'), 'type'],
    ['with the nil id', proposed('A', '{}').setId(uuid('00000000-0000-0000-0000-000000000000')), 'nil'],
  ])('%s is refused with a sentence', (_, event, word) => {
    const { request, options } = batch();
    options.setStreamPosition('1');
    request.addProposedMessages(event);
    expect(decodeBatchAppend(bytesOf(request)).refusal?.message).toContain(word);
  });
});

describe('a message with fields of a newer protocol', () => {
  it('is read without them', () => {
    const { request, options } = batch();
    options.setStreamPosition('1');
    const newer = Buffer.concat([bytesOf(proposed('A', '{}')), Buffer.from([0x28, 0x07])]);
    const message = Buffer.concat([bytesOf(request), Buffer.from([0x1a, newer.length]), newer]);
    const { events, refusal } = decodeBatchAppend(message);
    expect([events.length, refusal]).toEqual([1, undefined]);
  });
});

describe('an append with extreme numbers', () => {
  it('accepts a deadline before 1970', () => {
    const { request, options } = batch();
    options.setStreamPosition('1').setDeadline(new timestampPb.Timestamp().setSeconds(-5));
    expect(decodeBatchAppend(bytesOf(request)).options?.deadlineMs).toBe(-5_000);
  });

  it('lowers a revision that no stream can reach to one that an answer can name', () => {
    const { request, options } = batch();
    options.setStreamPosition('18446744073709551615');
    expect(decodeBatchAppend(bytesOf(request)).options?.expectation).toBe(2 ** 63);
  });

  it('is malformed without a correlation id', () => {
    expect(() => decodeBatchAppend(Buffer.alloc(0))).toThrow(MalformedMessageError);
  });
});
