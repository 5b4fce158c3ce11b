import { createRequire } from 'node:module';
import type { AllStreamRecordedEvent, AllStreamResolvedEvent, JSONType } from '@eventstore/db-client';
import services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { CallOptions, Metadata } from '@grpc/grpc-js';
import { field, MessageReader } from './message-reader.js';

const { ReadResp } = streams;
type ReadResp = InstanceType<typeof ReadResp>;
type ReadEvent = InstanceType<typeof ReadResp.ReadEvent>;
type ReadReq = InstanceType<typeof streams.ReadReq>;
type StreamsClient = InstanceType<typeof services.StreamsClient>;

/** Loaded by `require`, because an imported module's exports cannot be replaced. */
const conversion: { convertGrpcEvent(event: ReadEvent): AllStreamResolvedEvent } = createRequire(import.meta.url)(
  '@eventstore/db-client/dist/utils/convertGrpcEvent.js',
);
const convertSlowly = conversion.convertGrpcEvent;

/** Makes the client decode a read's plain events in one pass, without google-protobuf. */
export function decodeReadsDirectly(): void {
  const { path, requestSerialize } = services.StreamsService.read;
  Object.assign(services.StreamsClient.prototype, {
    read(this: StreamsClient, request: ReadReq, metadata: Metadata, options: CallOptions) {
      return this.makeServerStreamRequest(path, requestSerialize, decodeReadResponse, request, metadata, options);
    },
  });
  conversion.convertGrpcEvent = convert;
}

/** Decodes a ReadResp: a plain event as an object with the methods that the client calls, anything else as the generated class. */
export const decodeReadResponse = (bytes: Buffer): ReadResp =>
  (plainEvent(bytes) as unknown as ReadResp | undefined) ?? ReadResp.deserializeBinary(new Uint8Array(bytes));

/** Returns the event that the client delivers to its user. */
export const convert = (event: ReadEvent): AllStreamResolvedEvent =>
  event instanceof PlainReadEvent ? event.resolved : convertSlowly(event);

/** The methods that the client calls on a ReadResp with an event. */
class PlainResponse {
  constructor(private readonly event: PlainReadEvent) {}
  hasEvent(): boolean {
    return true;
  }
  getEvent(): PlainReadEvent {
    return this.event;
  }
}

class PlainReadEvent {
  constructor(readonly resolved: AllStreamResolvedEvent) {}
}

/* The fields of streams.proto and shared.proto that a plain event has. */
const RESPONSE_EVENT = field(1, 2);
const READ_EVENT_EVENT = field(1, 2);
const READ_EVENT_COMMIT_POSITION = field(3, 0);
const EVENT_ID = field(1, 2);
const EVENT_STREAM = field(2, 2);
const EVENT_REVISION = field(3, 0);
const EVENT_PREPARE_POSITION = field(4, 0);
const EVENT_COMMIT_POSITION = field(5, 0);
const EVENT_METADATA = field(6, 2);
const EVENT_CUSTOM_METADATA = field(7, 2);
const EVENT_DATA = field(8, 2);
const UUID_STRING = field(2, 2);
const STREAM_NAME = field(3, 2);

const JSON_CONTENT = 'application/json';
/* The first bytes of the entries that the client reads: tag, length and letters of the key, and the tag of the value. */
const TYPE_KEY = Buffer.from('\x0a\x04type\x12');
const CONTENT_TYPE_KEY = Buffer.from('\x0a\x0ccontent-type\x12');
const CREATED_KEY = Buffer.from('\x0a\x07created\x12');
const JSON_CONTENT_TYPE = Buffer.concat([CONTENT_TYPE_KEY, Buffer.from(`\x10${JSON_CONTENT}`)]);
/** `created` counts units of 100 ns, as text; its last four digits are fractions of a millisecond. */
const TICKS = /^\d{5,}$/;
const DIGITS_BELOW_MS = 4;
const NOTHING = Buffer.alloc(0);

/** Decodes a ReadResp that holds an event without a link; undefined for any other. */
function plainEvent(bytes: Buffer): PlainResponse | undefined {
  const reader = new MessageReader(bytes);
  if (reader.varint() !== RESPONSE_EVENT || reader.length() !== reader.left) return undefined;
  let recorded: PlainRecordedEvent | undefined;
  let position: number | undefined;
  while (reader.left > 0) {
    const tag = reader.varint();
    if (tag === READ_EVENT_EVENT && recorded === undefined) {
      recorded = recordedEvent(reader, reader.length());
      if (recorded === undefined) return undefined;
    } else if (tag === READ_EVENT_COMMIT_POSITION) position = reader.varint();
    else return undefined;
  }
  if (recorded === undefined || position === undefined || !reader.isWhole) return undefined;
  const event = delivered(recorded);
  return event && new PlainResponse(new PlainReadEvent({ event, commitPosition: BigInt(position) }));
}

/** A RecordedEvent's fields as decoded from the message. */
class PlainRecordedEvent {
  id: string | undefined;
  stream: string | undefined;
  revision = 0;
  preparePosition = 0;
  commitPosition = 0;
  type: string | undefined;
  contentType: string | undefined;
  created = '';
  customMetadata: Buffer = NOTHING;
  data: Buffer = NOTHING;
}

function recordedEvent(reader: MessageReader, length: number): PlainRecordedEvent | undefined {
  const event = new PlainRecordedEvent();
  const end = reader.at + length;
  while (reader.at < end) {
    switch (reader.varint()) {
      case EVENT_ID:
        event.id = reader.onlyText(UUID_STRING);
        break;
      case EVENT_STREAM:
        event.stream = reader.onlyText(STREAM_NAME);
        break;
      case EVENT_REVISION:
        event.revision = reader.varint();
        break;
      case EVENT_PREPARE_POSITION:
        event.preparePosition = reader.varint();
        break;
      case EVENT_COMMIT_POSITION:
        event.commitPosition = reader.varint();
        break;
      case EVENT_METADATA:
        readMetadata(reader, event);
        break;
      case EVENT_CUSTOM_METADATA:
        event.customMetadata = reader.bytes();
        break;
      case EVENT_DATA:
        event.data = reader.bytes();
        break;
      default:
        return undefined;
    }
  }
  return reader.at === end ? event : undefined;
}

/** Reads one entry of an event's metadata. Servers write these entries only. */
function readMetadata(reader: MessageReader, event: PlainRecordedEvent): void {
  const end = reader.length() + reader.at;
  if (reader.passes(TYPE_KEY)) event.type = reader.text();
  else if (reader.passes(JSON_CONTENT_TYPE)) event.contentType = JSON_CONTENT;
  else if (reader.passes(CONTENT_TYPE_KEY)) event.contentType = reader.text();
  else if (reader.passes(CREATED_KEY)) event.created = reader.text();
  if (reader.at !== end) reader.giveUp();
}

/** Returns the event as the client would deliver it, and its data's text; undefined when a part is missing. */
function delivered(recorded: PlainRecordedEvent): (AllStreamRecordedEvent & { dataText?: string }) | undefined {
  const { id, stream, type, contentType, created, customMetadata } = recorded;
  if (!id || stream === undefined || type === undefined || contentType === undefined) return undefined;
  if (!TICKS.test(created)) return undefined;
  const isJson = contentType === JSON_CONTENT;
  const dataText = isJson ? recorded.data.toString('utf8') : undefined;
  try {
    return {
      streamId: stream,
      id,
      revision: BigInt(recorded.revision),
      type,
      data: dataText === undefined ? plainArray(recorded.data) : JSON.parse(dataText),
      dataText,
      metadata: customMetadata.length === 0 ? undefined : parsed(customMetadata),
      isJson,
      created: new Date(Number(created.slice(0, -DIGITS_BELOW_MS))),
      position: { commit: BigInt(recorded.commitPosition), prepare: BigInt(recorded.preparePosition) },
    } as AllStreamRecordedEvent & { dataText?: string };
  } catch {
    // It is not JSON: the client's own conversion decides.
    return undefined;
  }
}

const parsed = (bytes: Buffer): JSONType => JSON.parse(bytes.toString('utf8'));

/** The client delivers plain Uint8Arrays; a Buffer's `slice` and `toString` would behave differently. */
const plainArray = ({ buffer, byteOffset, byteLength }: Uint8Array) => new Uint8Array(buffer, byteOffset, byteLength);
