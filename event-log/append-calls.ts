import { randomUUID } from 'node:crypto';
import type { EventStoreDBClient } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { CallOptions, ClientDuplexStream, Metadata } from '@grpc/grpc-js';
import protobuf from 'protobufjs/minimal.js';
import {
  AppendRefused,
  type AppendResult,
  type ExpectedRevision,
  type NewEvent,
  StreamTombstoned,
  UnknownOutcome,
  WrongExpectedRevision,
} from './event-log.types.js';
import { bytesTag, varintTag } from './fast-client.js';

const { Writer } = protobuf;
type Writer = protobuf.Writer;
type StreamsClient = InstanceType<typeof services.StreamsClient>;
type AppendCall = ClientDuplexStream<Buffer, BatchAppendResp>;

interface ClientInternals {
  /** Opens a call on the current channel, or returns the open one. After losing the leader, the client searches for another. */
  GRPCStreamCreator(
    type: typeof services.StreamsClient,
    name: string,
    open: (grpc: StreamsClient) => AppendCall,
    cache: WeakMap<StreamsClient, AppendCall>,
  ): () => Promise<AppendCall>;
  callArguments(options: { requiresLeader: boolean }, callOptions: CallOptions): [Metadata, CallOptions];
}

interface PendingAppend {
  stream: string;
  resolve(response: BatchAppendResp): void;
  reject(error: Error): void;
}

const { path } = services.StreamsService.batchAppend;

/** Calls BatchAppend: the client's `appendToStream` sends an absolute deadline and crashes on a late response. */
export class AppendCalls {
  private readonly open = new WeakMap<StreamsClient, AppendCall>();
  private readonly waiting = new WeakMap<AppendCall, Map<string, PendingAppend>>();

  /** Throws WrongExpectedRevision, AppendRefused or UnknownOutcome. */
  async append(client: EventStoreDBClient, stream: string, events: readonly NewEvent[], expected: ExpectedRevision) {
    const id = randomUUID();
    const request = encodeAppend(id, stream, events, expected);
    const internals = client as unknown as ClientInternals;
    const openCall = (grpc: StreamsClient) => this.openCall(grpc, internals);
    const call = await internals.GRPCStreamCreator(services.StreamsClient, 'append', openCall, this.open)();
    const response = await new Promise<BatchAppendResp>((resolve, reject) => {
      this.waiting.get(call)?.set(id, { stream, resolve, reject });
      call.write(request);
    });
    return resultOf(response, stream, expected);
  }

  private openCall(grpc: StreamsClient, internals: ClientInternals): AppendCall {
    const [metadata, options] = internals.callArguments({ requiresLeader: true }, { deadline: Infinity });
    const call: AppendCall = grpc.makeBidiStreamRequest(path, (bytes: Buffer) => bytes, decode, metadata, options);
    const waiting = new Map<string, PendingAppend>();
    this.waiting.set(call, waiting);
    call.on('data', (response: BatchAppendResp) => {
      const id = response.getCorrelationId()?.getString() ?? '';
      // A server may answer an append twice; the second response has no entry here.
      waiting.get(id)?.resolve(response);
      waiting.delete(id);
    });
    const failAll = (error?: Error) => {
      for (const { stream, reject } of waiting.values()) {
        reject(new UnknownOutcome(`${stream}: ${error?.message ?? 'the server ended the call'}`, { cause: error }));
      }
      waiting.clear();
    };
    call.on('error', failAll);
    call.on('end', () => {
      failAll();
      call.end();
    });
    return call;
  }
}

const decode = (bytes: Buffer): BatchAppendResp => streams.BatchAppendResp.deserializeBinary(new Uint8Array(bytes));

/** Encodes a BatchAppendReq (streams.proto) without a deadline, which would need equal clocks. */
export function encodeAppend(id: string, stream: string, events: readonly NewEvent[], expected: ExpectedRevision) {
  const writer = Writer.create();
  writeId(writer, id);
  openMessage(openMessage(writer, 2), 1).uint32(bytesTag(3)).string(stream).ldelim();
  if (expected < 0) openMessage(writer, 3).ldelim();
  else writer.uint32(varintTag(2)).uint64(expected);
  writer.ldelim();
  for (const event of events) writeEvent(openMessage(writer, 3), event).ldelim();
  return writer.uint32(varintTag(4)).bool(true).finish() as Buffer;
}

function writeEvent(writer: Writer, { id, event, metadata, dataText = JSON.stringify(event.data) }: NewEvent): Writer {
  writeId(writer, id);
  writeEntry(writer, 'content-type', 'application/json');
  writeEntry(writer, 'type', event.type);
  return writer.uint32(bytesTag(3)).string(JSON.stringify(metadata)).uint32(bytesTag(4)).string(dataText);
}

const writeEntry = (writer: Writer, key: string, value: string): Writer =>
  openMessage(writer, 2).uint32(bytesTag(1)).string(key).uint32(bytesTag(2)).string(value).ldelim();

const writeId = (writer: Writer, id: string): Writer => openMessage(writer, 1).uint32(bytesTag(2)).string(id).ldelim();

const openMessage = (writer: Writer, field: number): Writer => writer.uint32(bytesTag(field)).fork();

/** Returns where the append ended. Throws WrongExpectedRevision, AppendRefused or UnknownOutcome. */
export function resultOf(response: BatchAppendResp, stream: string, expected: ExpectedRevision): AppendResult {
  const success = response.getSuccess();
  const position = success?.getPosition();
  if (success && position) {
    return { revision: Number(success.getCurrentRevision()), position: position.getCommitPosition() };
  }
  const status = response.getError();
  const details = status?.getDetails();
  const text = `${stream}: ${status?.getMessage() ?? 'the response has no position'}`;
  switch (details?.getTypeName()) {
    case 'event_store.client.WrongExpectedVersion': {
      const wrong = shared.WrongExpectedVersion.deserializeBinary(details.getValue_asU8());
      const actual = wrong.hasCurrentStreamRevision() ? Number(wrong.getCurrentStreamRevision()) : -1;
      throw new WrongExpectedRevision(stream, expected, actual);
    }
    case 'event_store.client.StreamDeleted':
      throw new StreamTombstoned(text);
    case 'event_store.client.AccessDenied':
    case 'event_store.client.MaximumAppendSizeExceeded':
    case 'event_store.client.BadRequest':
    case 'event_store.client.InvalidTransaction':
      throw new AppendRefused(text);
    default:
      throw new UnknownOutcome(text);
  }
}
