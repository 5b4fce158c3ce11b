import fc from 'fast-check';
import { GrpcError, Status } from './grpc-status.js';
import { frameMessage, MessageSplitter } from './message-framing.js';

describe('splitting the arriving bytes into messages', () => {
  it('yields the same messages, however the bytes were split on the way', () => {
    const messages = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 });
    fc.assert(
      fc.property(messages, fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (sent, sizes) => {
        const bytes = Buffer.concat(sent.map(frameMessage));
        const splitter = new MessageSplitter(1_000);
        const received: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length]!;
          splitter.push(bytes.subarray(at, at + size), (message) => received.push(message));
          at += size;
        }
        expect(received.map((message) => [...message])).toEqual(sent.map((message) => [...message]));
        expect(splitter.unfinishedBytes > 0).toBe(false);
      }),
    );
  });

  it('reports a message that is cut off', () => {
    const splitter = new MessageSplitter(1_000);
    splitter.push(frameMessage(Buffer.from('abc')).subarray(0, 6), () => undefined);
    expect(splitter.unfinishedBytes > 0).toBe(true);
  });

  it('refuses a message over the limit as soon as it is announced, and a compressed one', () => {
    const refuse = (bytes: Buffer) => {
      try {
        new MessageSplitter(10).push(bytes, () => undefined);
      } catch (error) {
        return error instanceof GrpcError ? error.code : error;
      }
      return undefined;
    };
    expect(refuse(Buffer.from([0, 0, 0, 0, 11]))).toBe(Status.RESOURCE_EXHAUSTED);
    expect(refuse(Buffer.from([1, 0, 0, 0, 1, 0]))).toBe(Status.UNIMPLEMENTED);
    expect(refuse(Buffer.from([0, 0, 0, 0, 10]))).toBeUndefined();
  });
});
