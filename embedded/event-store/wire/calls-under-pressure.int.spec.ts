import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { setTimeout as delay } from 'node:timers/promises';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Outcome } from '../log/log-writer.js';
import { openCall } from '../testing/raw-call.js';
import { BatchAppendCall } from './batch-append-call.js';
import { type CallHandler, GrpcServer } from './grpc-server.js';
import { Status } from './grpc-status.js';
import { frameMessage } from './message-framing.js';

const everybody = { require: () => Promise.resolve() };

describe('calls under pressure', () => {
  let server: GrpcServer;
  let session: ClientHttp2Session;
  afterEach(async () => {
    session.destroy();
    await server.close();
  });

  async function serve(handler: CallHandler, receivedLimitBytes?: number, initialWindowSize = 65_535): Promise<void> {
    server = await GrpcServer.listen('127.0.0.1', 0, undefined, () => handler, receivedLimitBytes);
    session = connect(`http://127.0.0.1:${server.port}`, { settings: { initialWindowSize }, maxSessionMemory: 100 });
    session.on('error', () => undefined);
    await once(session, 'connect');
  }

  const statusOf = async (call: ReturnType<typeof openCall>) =>
    Number(((await once(call, 'response')) as [Record<string, string>])[0]['grpc-status']);

  function append(number: number, isFinal: boolean): Buffer {
    const id = `11111111-2222-4333-8444-${String(number).padStart(12, '0')}`;
    const options = new streams.BatchAppendReq.Options().setAny(new shared.Empty());
    options.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from('s')));
    const event = new streams.BatchAppendReq.ProposedMessage().setId(new shared.UUID().setString(id));
    event.getMetadataMap().set('type', 'T').set('content-type', 'application/json');
    event.setData(Buffer.alloc(600_000, 'x'));
    const request = new streams.BatchAppendReq().setCorrelationId(new shared.UUID().setString(id));
    request.setOptions(options).setIsFinal(isFinal).addProposedMessages(event);
    return frameMessage(request.serializeBinary());
  }

  it('share one memory limit for incomplete messages; a cancelled call frees its share', async () => {
    await serve((call) => call.receive(() => undefined), 1_000_000);
    const half = Buffer.concat([Buffer.from([0, 0, 0x20, 0, 0]), Buffer.alloc(700_000)]);
    const first = openCall(session, '/first').on('error', () => undefined);
    first.write(half);
    const second = openCall(session, '/second');
    await delay(100);
    second.write(half);
    expect(await statusOf(second)).toBe(Status.RESOURCE_EXHAUSTED);
    first.close();
    await once(first, 'close');
    const third = openCall(session, '/third');
    third.end(frameMessage(Buffer.alloc(700_000)));
    expect(await statusOf(third)).toBe(Status.OK);
  });

  it('count an append from its first message until its answer, or until its client has gone', async () => {
    const submitted: ((outcome: Outcome) => void)[] = [];
    const write = () => new Promise<Outcome>((settle) => submitted.push(settle));
    const writer = { pendingBytes: 0, write };
    await serve((call) => new BatchAppendCall(call, writer, everybody, undefined).serve(), 1_000_000);
    const pending = openCall(session, '/pending').on('error', () => undefined);
    pending.write(append(1, true));
    while (submitted.length === 0) await delay(5);
    // The client has gone, but the writer still holds the append: its bytes count.
    pending.close();
    await once(pending, 'close');
    const refused = openCall(session, '/refused');
    refused.write(append(2, false));
    expect(await statusOf(refused)).toBe(Status.RESOURCE_EXHAUSTED);
    submitted[0]!({ kind: 'timeout' });
    await delay(20);
    const unfinished = openCall(session, '/unfinished').on('error', () => undefined);
    unfinished.write(append(3, false));
    await delay(100);
    unfinished.close();
    await once(unfinished, 'close');
    await delay(20);
    const last = openCall(session, '/last');
    last.end(append(4, true));
    while (submitted.length === 1) await delay(5);
    submitted[1]!({ kind: 'timeout' });
    await once(last, 'response');
  });

  it('are read again after their last answer, even while other calls have much waiting', async () => {
    const write = () =>
      new Promise<Outcome>((settle) => {
        setImmediate(() => settle({ kind: 'timeout' }));
      });
    const writer = { pendingBytes: 64 * 1024 * 1024, write };
    await serve((call) => new BatchAppendCall(call, writer, everybody, undefined).serve());
    const call = openCall(session, '/');
    for (let number = 1; number <= 3; number++) {
      call.write(append(number, true));
      await once(call, 'data');
    }
    call.end();
    await once(call, 'end');
  });

  it('are not read while their client reads no answers, and go on when it does', async () => {
    let taken = 0;
    const answer = frameMessage(Buffer.alloc(4_000));
    await serve(
      (call) =>
        call.receive(() => {
          taken++;
          call.sendSoon(answer);
        }),
      undefined,
      0,
    );
    const call = openCall(session, '/');
    const requests = 20_000;
    const many = Buffer.concat(Array.from({ length: requests }, () => frameMessage(Buffer.alloc(1_000))));
    call.end(many);
    for (let before = -1; before !== taken || taken === 0; await delay(300)) before = taken;
    expect(taken).toBeLessThan(requests / 2);
    session.settings({ initialWindowSize: 1024 * 1024 });
    let received = 0;
    for await (const chunk of call as AsyncIterable<Buffer>) received += chunk.length;
    expect(taken).toBe(requests);
    expect(received).toBe(requests * answer.length);
  });
});
