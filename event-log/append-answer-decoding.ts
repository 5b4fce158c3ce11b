import streams from '@eventstore/db-client/generated/streams_pb.js';
import { field, MessageReader } from './message-reader.js';

const { BatchAppendResp } = streams;
type BatchAppendResp = InstanceType<typeof BatchAppendResp>;

/** The message that these bytes are, as far as the client asks it. */
export const decodeAppendAnswer = (bytes: Buffer): BatchAppendResp =>
  (plainAnswer(bytes) as unknown as BatchAppendResp | undefined) ??
  BatchAppendResp.deserializeBinary(new Uint8Array(bytes));

/** What the client asks of a BatchAppendResp that tells of a success. */
class PlainAnswer {
  constructor(
    private readonly correlationId: string,
    private readonly success: PlainSuccess,
  ) {}
  /** A UUID message: the client asks for one of its two forms. */
  getCorrelationId() {
    return { hasStructured: () => false, getString: () => this.correlationId };
  }
  hasError(): boolean {
    return false;
  }
  getSuccess(): PlainSuccess {
    return this.success;
  }
}

class PlainSuccess {
  currentRevision = 0;
  private position: PlainPosition | undefined;

  getCurrentRevision(): number {
    return this.currentRevision;
  }
  getPosition(): PlainPosition | undefined {
    return this.position;
  }
  setPosition(position: PlainPosition): void {
    this.position = position;
  }
}

class PlainPosition {
  commit = 0;
  prepare = 0;

  getCommitPosition(): number {
    return this.commit;
  }
  getPreparePosition(): number {
    return this.prepare;
  }
}

/* The fields of streams.proto and shared.proto that such an answer has. */
const ANSWER_CORRELATION_ID = field(1, 2);
const ANSWER_SUCCESS = field(3, 2);
const ANSWER_STREAM = field(4, 2);
const ANSWER_EXPECTED_REVISION = field(5, 0);
const ANSWER_EXPECTED_NO_STREAM = field(6, 2);
const ANSWER_EXPECTED_ANY = field(7, 2);
const ANSWER_EXPECTED_STREAM = field(8, 2);
const SUCCESS_REVISION = field(1, 0);
const SUCCESS_POSITION = field(3, 2);
const POSITION_COMMIT = field(1, 0);
const POSITION_PREPARE = field(2, 0);
const UUID_STRING = field(2, 2);
const STREAM_NAME = field(3, 2);

/** Undefined when it is anything else. */
function plainAnswer(bytes: Buffer): PlainAnswer | undefined {
  const reader = new MessageReader(bytes);
  let correlationId = '';
  let success: PlainSuccess | undefined;
  while (reader.left > 0) {
    switch (reader.varint()) {
      case ANSWER_CORRELATION_ID:
        correlationId = reader.onlyText(UUID_STRING);
        break;
      case ANSWER_SUCCESS:
        success = plainSuccess(reader, reader.length());
        if (success === undefined) return undefined;
        break;
      // The client does not ask for what it asked for itself.
      case ANSWER_STREAM:
        reader.onlyBytes(STREAM_NAME);
        break;
      case ANSWER_EXPECTED_REVISION:
        reader.varint();
        break;
      case ANSWER_EXPECTED_NO_STREAM:
      case ANSWER_EXPECTED_ANY:
      case ANSWER_EXPECTED_STREAM:
        if (reader.length() !== 0) return undefined;
        break;
      default:
        return undefined;
    }
  }
  return success && correlationId !== '' && reader.isWhole ? new PlainAnswer(correlationId, success) : undefined;
}

function plainSuccess(reader: MessageReader, length: number): PlainSuccess | undefined {
  const success = new PlainSuccess();
  const end = reader.at + length;
  while (reader.at < end) {
    const tag = reader.varint();
    if (tag === SUCCESS_REVISION) success.currentRevision = reader.varint();
    else if (tag === SUCCESS_POSITION) {
      const position = plainPosition(reader, reader.length());
      if (position === undefined) return undefined;
      success.setPosition(position);
    } else return undefined;
  }
  return reader.at === end ? success : undefined;
}

function plainPosition(reader: MessageReader, length: number): PlainPosition | undefined {
  const position = new PlainPosition();
  const end = reader.at + length;
  while (reader.at < end) {
    const tag = reader.varint();
    if (tag === POSITION_COMMIT) position.commit = reader.varint();
    else if (tag === POSITION_PREPARE) position.prepare = reader.varint();
    else return undefined;
  }
  return reader.at === end ? position : undefined;
}
