import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import protobuf from 'protobufjs/minimal.js';
import { encodeAppend, resultOf } from './append-calls.js';
import {
  AppendRefused,
  type NewEvent,
  StreamTombstoned,
  UnknownOutcome,
  WrongExpectedRevision,
} from './event-log.types.js';

const { BatchAppendReq, BatchAppendResp } = streams;

const newEvent = (changes: Partial<NewEvent> = {}): NewEvent => ({
  id: randomUUID(),
  event: { type: 'TimersChanged', data: { seconds: 'ä' } } as never,
  metadata: { at: 7 } as never,
  ...changes,
});

describe('the encoding of an append', () => {
  it('is decoded by the generated classes to the same values', () => {
    const events = fc.array(
      fc.record({ id: fc.uuid(), type: fc.string({ minLength: 1 }), data: fc.object(), metadata: fc.object() }),
    );
    const expected = fc.oneof(fc.constantFrom(-1, 0), fc.maxSafeNat());
    fc.assert(
      fc.property(fc.uuid(), fc.string({ minLength: 1 }), events, expected, (id, stream, sent, revision) => {
        const proposed = sent.map(({ id, type, data, metadata }) =>
          newEvent({ id, event: { type, data } as never, metadata: metadata as never }),
        );
        const read = BatchAppendReq.deserializeBinary(encodeAppend(id, stream, proposed, revision));
        const options = read.getOptions();
        expect(read.getCorrelationId()?.getString()).toBe(id);
        expect(read.getIsFinal()).toBe(true);
        expect(Buffer.from(options?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString()).toBe(
          Buffer.from(stream).toString(),
        );
        expect(options?.hasNoStream() ? -1 : Number(options?.getStreamPosition())).toBe(revision);
        expect(
          read.getProposedMessagesList().map((message) => ({
            id: message.getId()?.getString(),
            type: message.getMetadataMap().get('type'),
            contentType: message.getMetadataMap().get('content-type'),
            data: Buffer.from(message.getData_asU8()).toString(),
            metadata: Buffer.from(message.getCustomMetadata_asU8()).toString(),
          })),
        ).toEqual(
          sent.map(({ id, type, data, metadata }) => ({
            id,
            type: Buffer.from(type).toString(),
            contentType: 'application/json',
            data: Buffer.from(JSON.stringify(data)).toString(),
            metadata: Buffer.from(JSON.stringify(metadata)).toString(),
          })),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('names no deadline, so that the clocks of node and server need not agree', () => {
    const request = BatchAppendReq.deserializeBinary(encodeAppend(randomUUID(), 'ledger', [newEvent()], 3));
    expect(request.getOptions()?.hasDeadline()).toBe(false);
  });

  it.each([
    ['without a type', { event: { type: '', data: {} } as never }],
    ['whose id is no UUID', { id: 'e-1' }],
    ['whose id is the nil UUID', { id: '00000000-0000-0000-0000-000000000000' }],
  ])('refuses an event %s', (_, changes) => {
    expect(() => encodeAppend(randomUUID(), 'ledger', [newEvent(changes)], 3)).toThrow(AppendRefused);
  });
});

describe('the answer to an append', () => {
  const failure = (type: string, details: { serializeBinary(): Uint8Array }) => {
    // A Status: its text, and as details an Any with the type's address and the message.
    const refusal = protobuf.Writer.create().uint32(18).string('refused').uint32(26).fork();
    refusal.uint32(10).string(`type.googleapis.com/event_store.client.${type}`);
    refusal.uint32(18).bytes(details.serializeBinary()).ldelim();
    return new BatchAppendResp().setError(status.Status.deserializeBinary(refusal.finish()));
  };
  const outcomeOf = (answer: InstanceType<typeof BatchAppendResp>) => {
    try {
      return resultOf(answer, 'ledger', 7);
    } catch (error) {
      return error;
    }
  };

  it('names the revision and the position of the last event', () => {
    const position = new shared.AllStreamPosition()
      .setCommitPosition('9007199254740993')
      .setPreparePosition('9007199254740993');
    const answer = new BatchAppendResp().setSuccess(
      new BatchAppendResp.Success().setCurrentRevision('8').setPosition(position),
    );
    expect(outcomeOf(answer)).toEqual({ revision: 8, position: '9007199254740993' });
  });

  it('names the actual revision after a wrong one', () => {
    const wrong = new shared.WrongExpectedVersion().setCurrentStreamRevision('5');
    expect(outcomeOf(failure('WrongExpectedVersion', wrong))).toEqual(new WrongExpectedRevision('ledger', 7, 5));
    const missing = new shared.WrongExpectedVersion().setCurrentNoStream(new shared.Empty() as never);
    expect(outcomeOf(failure('WrongExpectedVersion', missing))).toEqual(new WrongExpectedRevision('ledger', 7, -1));
  });

  it.each([
    ['StreamDeleted', StreamTombstoned],
    ['AccessDenied', AppendRefused],
    ['MaximumAppendSizeExceeded', AppendRefused],
    ['BadRequest', AppendRefused],
    ['InvalidTransaction', AppendRefused],
    ['Timeout', UnknownOutcome],
    ['Unknown', UnknownOutcome],
  ])('%s is converted to the right kind of error', (type, kind) => {
    const outcome = outcomeOf(failure(type, new shared.Empty()));
    expect(outcome).toEqual(new kind('ledger: refused'));
    expect(outcome).toBeInstanceOf(kind);
  });

  it('leaves the outcome unknown when it has no position', () => {
    expect(outcomeOf(new BatchAppendResp())).toEqual(new UnknownOutcome('ledger: the answer names no position'));
  });
});
