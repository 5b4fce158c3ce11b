import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { decodeAppendAnswer } from './append-answer-decoding.js';

const { BatchAppendResp } = streams;
type BatchAppendResp = InstanceType<typeof BatchAppendResp>;

const decode = (bytes: Uint8Array): BatchAppendResp => decodeAppendAnswer(Buffer.from(bytes));
const decodeSlowly = (bytes: Uint8Array): BatchAppendResp => BatchAppendResp.deserializeBinary(bytes);

/** What the client makes of an answer. */
function heard(answer: BatchAppendResp) {
  const position = answer.getSuccess()?.getPosition();
  return {
    id: answer.getCorrelationId()?.getString(),
    isStructured: answer.getCorrelationId()?.hasStructured(),
    hasError: answer.hasError(),
    revision: BigInt(answer.getSuccess()?.getCurrentRevision() ?? -1),
    position: position && [BigInt(position.getCommitPosition()), BigInt(position.getPreparePosition())],
  };
}

const answers = fc
  .record({
    id: fc.uuid(),
    stream: fc.string({ unit: 'grapheme', minLength: 1 }),
    revision: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
    position: fc.option(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })),
    expected: fc.constantFrom('any', 'no stream', 'a stream', 7n),
  })
  .map(({ id, stream, revision, position, expected }) => {
    const success = new BatchAppendResp.Success().setCurrentRevision(String(revision));
    if (position !== null) {
      const place = new shared.AllStreamPosition();
      success.setPosition(place.setCommitPosition(String(position)).setPreparePosition(String(position)));
    }
    const answer = new BatchAppendResp().setCorrelationId(new shared.UUID().setString(id)).setSuccess(success);
    answer.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)));
    if (expected === 'any') answer.setAny(new shared.Empty());
    else if (expected === 'no stream') answer.setNoStream(new shared.Empty());
    else if (expected === 'a stream') answer.setStreamExists(new shared.Empty());
    else answer.setStreamPosition(String(expected));
    return answer;
  });

const plain = () =>
  new BatchAppendResp()
    .setCorrelationId(new shared.UUID().setString('0e8b4b4e-8b4f-4d53-9c35-7a4f5f4f8c11'))
    .setSuccess(
      new BatchAppendResp.Success()
        .setCurrentRevision('7')
        .setPosition(new shared.AllStreamPosition().setCommitPosition('900').setPreparePosition('900')),
    )
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from('ledger')))
    .setAny(new shared.Empty());

describe('hearing the answers to appends without google-protobuf', () => {
  it('finds in every answer what the client finds', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const bytes = answer.serializeBinary();
        expect(heard(decode(bytes))).toEqual(heard(decodeSlowly(bytes)));
      }),
      { numRuns: 500 },
    );
  });

  it('takes the short way for an append that was carried out', () => {
    const answer = decode(plain().serializeBinary());
    expect(answer).not.toBeInstanceOf(BatchAppendResp);
    expect(heard(answer)).toMatchObject({ revision: 7n, position: [900n, 900n], hasError: false });
  });

  it.each<[string, BatchAppendResp]>([
    ['a failure', plain().setSuccess(undefined).setError(new status.Status().setMessage('Wrong'))],
    ['a failure and a success', plain().setError(new status.Status())],
    ['no position', plain().setSuccess(new BatchAppendResp.Success().setNoPosition(new shared.Empty()))],
    ['an id in two numbers', plain().setCorrelationId(new shared.UUID().setStructured(new shared.UUID.Structured()))],
    ['nothing', new BatchAppendResp()],
  ])('leaves %s to the client', (_name, answer) => {
    const bytes = answer.serializeBinary();
    expect(decode(bytes)).toBeInstanceOf(BatchAppendResp);
    expect(decode(bytes).toObject()).toEqual(decodeSlowly(bytes).toObject());
  });

  it('reads what was changed on the way as the client reads it', () => {
    const whole = plain().serializeBinary();
    const change = fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255) });
    const changed = fc.tuple(fc.array(change, { maxLength: 3 }), fc.nat(whole.length));
    fc.assert(
      fc.property(changed, ([changes, length]) => {
        const bytes = Uint8Array.from(whole);
        for (const { at, byte } of changes) bytes[at] = byte;
        const cut = bytes.slice(0, changes.length === 3 ? length : bytes.length);
        const answer = attempt(() => decode(cut));
        if (answer === undefined || answer instanceof BatchAppendResp) return;
        expect(heard(answer)).toEqual(heard(decodeSlowly(cut)));
      }),
      { numRuns: 5_000 },
    );
  });
});

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
