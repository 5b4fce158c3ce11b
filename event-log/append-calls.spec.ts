import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import protobuf from 'protobufjs/minimal.js';
import { caseCount } from '../contracts/testing/case-count.js';
import { encodeAppend, resultOf } from './append-calls.js';
import {
  AppendRefused,
  isLogOutage,
  StreamTombstoned,
  UnknownOutcome,
  WrongExpectedRevision,
} from './event-log.types.js';

const { BatchAppendReq, BatchAppendResp } = streams;

it('the encoding of an append is decoded by the generated classes to the same values', () => {
  const events = fc.array(
    fc.record({ id: fc.uuid(), type: fc.string({ minLength: 1 }), data: fc.object(), metadata: fc.object() }),
  );
  const expected = fc.oneof(fc.constantFrom(-1, 0), fc.maxSafeNat());
  fc.assert(
    fc.property(fc.uuid(), fc.string({ minLength: 1 }), events, expected, (id, stream, sent, revision) => {
      const proposed = sent.map(({ id, type, data, metadata }) => ({ id, event: { type, data }, metadata }) as never);
      const request = BatchAppendReq.deserializeBinary(encodeAppend(id, stream, proposed, revision));
      const options = request.getOptions();
      const text = (bytes?: Uint8Array) => Buffer.from(bytes ?? []).toString();
      const utf8 = (value: string) => text(Buffer.from(value));
      expect([request.getCorrelationId()?.getString(), request.getIsFinal()]).toEqual([id, true]);
      expect(options?.hasDeadline()).toBe(false);
      expect(text(options?.getStreamIdentifier()?.getStreamName_asU8())).toBe(utf8(stream));
      expect(options?.hasNoStream() ? -1 : Number(options?.getStreamPosition())).toBe(revision);
      const read = request.getProposedMessagesList().map((message) => {
        const entries = ['type', 'content-type'].map((key) => message.getMetadataMap().get(key));
        const payloads = [message.getData_asU8(), message.getCustomMetadata_asU8()].map(text);
        return [message.getId()?.getString(), ...entries, ...payloads];
      });
      const JSON_TYPE = 'application/json';
      expect(read).toEqual(
        sent.map(({ id, type, data, metadata }) => [
          id,
          utf8(type),
          JSON_TYPE,
          ...[data, metadata].map((one) => utf8(JSON.stringify(one))),
        ]),
      );
    }),
    { numRuns: caseCount(50, 2_000) },
  );
});

describe('the response to an append', () => {
  const failure = (type: string, details: { serializeBinary(): Uint8Array }) => {
    // A Status: its text, and as details an Any with the type's address and the message.
    const refusal = protobuf.Writer.create().uint32(18).string('refused').uint32(26).fork();
    refusal.uint32(10).string(`type.googleapis.com/event_store.client.${type}`);
    refusal.uint32(18).bytes(details.serializeBinary()).ldelim();
    return new BatchAppendResp().setError(status.Status.deserializeBinary(refusal.finish()));
  };
  const outcomeOf = (response: InstanceType<typeof BatchAppendResp>) => {
    try {
      return resultOf(response, 'ledger', 7);
    } catch (error) {
      return error;
    }
  };

  it('names the revision and the position of the last event', () => {
    const position = new shared.AllStreamPosition()
      .setCommitPosition('9007199254740993')
      .setPreparePosition('9007199254740993');
    const response = new BatchAppendResp().setSuccess(
      new BatchAppendResp.Success().setCurrentRevision('8').setPosition(position),
    );
    expect(outcomeOf(response)).toEqual({ revision: 8, position: '9007199254740993' });
  });

  it('names the actual revision after a wrong one', () => {
    const wrong = new shared.WrongExpectedVersion().setCurrentStreamRevision('5');
    const outcome = outcomeOf(failure('WrongExpectedVersion', wrong));
    expect(outcome).toEqual(new WrongExpectedRevision('ledger', 7, 5));
    expect(String(outcome)).toBe('Error: ledger: expected revision 7, actual 5');
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
    expect(outcome).toBeInstanceOf(kind);
    expect(outcome).toEqual(new kind('ledger: refused'));
    expect(isLogOutage(outcome)).toBe(kind === UnknownOutcome);
  });

  it.each([new BatchAppendResp(), new BatchAppendResp().setSuccess(new BatchAppendResp.Success())])(
    'leaves the outcome unknown when it has no position',
    (response) => expect(outcomeOf(response)).toEqual(new UnknownOutcome('ledger: the response has no position')),
  );
});
