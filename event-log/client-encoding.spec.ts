import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { encodeFaster } from './client-encoding.js';

const Generated = streams.BatchAppendReq;
encodeFaster();
const Direct = streams.BatchAppendReq;

interface Sent {
  correlationId: string;
  stream: string | null;
  isFinal: boolean;
  events: { id: string; type: string; contentType: string; metadata: Uint8Array; data: Uint8Array; asText: boolean }[];
}

const text = fc.string({ unit: 'binary' });
const sent: fc.Arbitrary<Sent> = fc.record({
  correlationId: fc.uuid(),
  stream: fc.option(text),
  isFinal: fc.boolean(),
  events: fc.array(
    fc.record({
      id: fc.uuid(),
      type: text,
      contentType: text,
      metadata: fc.uint8Array({ maxLength: 300 }),
      data: fc.uint8Array({ maxLength: 300 }),
      asText: fc.boolean(),
    }),
  ),
});

/** Fills a request as the client does, and asks for its bytes as the client does: of each message, then of the whole. */
function encodedWith(Request: typeof Generated, { correlationId, stream, isFinal, events }: Sent): Uint8Array {
  const request = new Request();
  if (stream !== null) {
    const options = new Request.Options();
    options.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)));
    options.setStreamPosition('41');
    request.setOptions(options);
  }
  request.setCorrelationId(new shared.UUID().setString(correlationId));
  request.setIsFinal(false);
  for (const event of events) {
    const message = new Request.ProposedMessage();
    message.setId(new shared.UUID().setString(event.id));
    message.getMetadataMap().set('type', event.type);
    message.getMetadataMap().set('content-type', event.contentType);
    message.setData(event.asText ? Buffer.from(event.data).toString('base64') : event.data);
    message.setCustomMetadata(event.metadata);
    message.serializeBinary();
    request.addProposedMessages(message);
  }
  request.setIsFinal(isFinal);
  return request.serializeBinary();
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('encoding appends without google-protobuf', () => {
  it('sends the bytes that the client sends', () => {
    fc.assert(
      fc.property(sent, (one) => {
        expect(hex(encodedWith(Direct, one))).toBe(hex(encodedWith(Generated, one)));
      }),
      { numRuns: 300 },
    );
  });

  it('sends them for events larger than what it has room for at first', () => {
    const data = Buffer.alloc(300_000, 'x');
    const event = {
      id: '3f333df6-90a4-4fda-8dd3-9485d27cee36',
      type: 'T',
      contentType: 'application/json',
      asText: true,
    };
    const events = [1, 2, 3].map(() => ({ ...event, metadata: new Uint8Array(), data }));
    const one = { correlationId: event.id, stream: 's', isFinal: true, events };
    expect(hex(encodedWith(Direct, one))).toBe(hex(encodedWith(Generated, one)));
  });

  it('sends them whether or not the client has asked for the bytes of each event before', () => {
    const filled = (Request: typeof Generated) => {
      const request = new Request();
      request.setCorrelationId(new shared.UUID().setString('3f333df6-90a4-4fda-8dd3-9485d27cee36'));
      for (const type of ['First', 'Second']) {
        const message = new Request.ProposedMessage();
        message.getMetadataMap().set('type', type);
        request.addProposedMessages(message);
      }
      return request.serializeBinary();
    };
    expect(hex(filled(Direct))).toBe(hex(filled(Generated)));
  });

  it('takes an id that is two numbers', () => {
    const id = () =>
      new shared.UUID().setStructured(
        new shared.UUID.Structured().setMostSignificantBits('7').setLeastSignificantBits('9'),
      );
    const [direct, generated] = [new Direct(), new Generated()];
    direct.setCorrelationId(id());
    generated.setCorrelationId(id());
    expect(hex(direct.serializeBinary())).toBe(hex(generated.serializeBinary()));
  });

  it('shows in debug output what it holds', () => {
    const request = new Direct();
    request.setIsFinal(true);
    expect(request.toObject()).toMatchObject({ isFinal: true, proposedMessagesList: [] });
  });
});
