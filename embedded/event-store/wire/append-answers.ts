import type { Expectation } from '../core/expectation.js';
import { NO_EVENTS } from '../core/stream.js';
import type { Outcome } from '../log/log-writer.js';
import { MessageWriter } from '../log/protobuf.js';
import { GrpcError, Status } from './grpc-status.js';

type Done = Extract<Outcome, { kind: 'done' }>;
type WrongVersion = Extract<Outcome, { kind: 'wrong-expected-version' }>;

const TEXT_NAME_LENGTH = 200;

/** The request that an answer names. */
interface Addressed {
  stream: string;
  expectation: Expectation;
}

/** Converts an unsuccessful outcome to an error: with trailers for a call of its own, with details for BatchAppend. */
export function refusalOf(outcome: Exclude<Outcome, Done>, { stream, expectation }: Addressed): GrpcError {
  const shortName = stream.length <= TEXT_NAME_LENGTH ? stream : `${stream.slice(0, TEXT_NAME_LENGTH)}…`;
  const streamName = isAscii(stream) ? stream : encodeURIComponent(stream);
  switch (outcome.kind) {
    case 'timeout':
      return new GrpcError(Status.DEADLINE_EXCEEDED, 'The deadline passed before the write began.', {}, 'Timeout');
    case 'stream-deleted':
      return new GrpcError(
        Status.FAILED_PRECONDITION,
        `The stream ${shortName} is deleted.`,
        { exception: 'stream-deleted', 'stream-name': streamName },
        'StreamDeleted',
        (details) => details.message(1, () => details.string(3, stream)),
      );
    case 'wrong-expected-version': {
      const { currentRevision } = outcome;
      const expected =
        typeof expectation === 'number' ? expectation : { 'no-stream': -1, any: -2, 'stream-exists': -4 }[expectation];
      return new GrpcError(
        Status.FAILED_PRECONDITION,
        `Append failed due to WrongExpectedVersion. Stream: ${shortName}, Expected version: ${expected}, Actual version: ${currentRevision}`,
        {
          exception: 'wrong-expected-version',
          'stream-name': streamName,
          'expected-version': String(expected),
          'actual-version': currentRevision === NO_EVENTS ? '' : String(currentRevision),
        },
        'WrongExpectedVersion',
        (details) => writeWrongVersion(details, 1, outcome, expectation),
      );
    }
  }
}

export const appendTooLarge = (limitBytes: number): GrpcError =>
  new GrpcError(
    Status.INVALID_ARGUMENT,
    `An append may have ${limitBytes} bytes.`,
    { exception: 'maximum-append-size-exceeded', 'maximum-append-size': String(limitBytes) },
    'MaximumAppendSizeExceeded',
    (details) => details.varint(1, limitBytes),
  );

export const appendResponse = (outcome: Done): Buffer => writeDone(new MessageWriter(), 1, outcome).frame();

/** AppendResp.WrongExpectedVersion. The fields 1 to 5 belong to servers before 20.6.1 and stay empty. */
export const wrongVersionResponse = (outcome: WrongVersion, expectation: Expectation): Buffer =>
  new MessageWriter().message(2, (wrong) => writeWrongVersion(wrong, 6, outcome, expectation)).frame();

export const deleteResponse = (position: number): Buffer =>
  new MessageWriter().message(1, (field) => writePosition(field, position)).frame();

export const batchSuccess = (correlationId: string, request: Addressed, outcome: Done): Buffer =>
  batchResponse(correlationId, request, (response) => writeDone(response, 3, outcome));

/** Answers with a google.rpc.Status that has one of EventStoreDB's messages as its details. */
export const batchRefusal = (correlationId: string, request: Addressed, refusal: GrpcError): Buffer =>
  batchResponse(correlationId, request, (response) =>
    response.message(2, (status) => {
      status.message(3, (any) => {
        any.message(2, (details) => refusal.writeDetails?.(details));
        any.string(1, `type.googleapis.com/event_store.client.${refusal.detailsType}`);
      });
      status.string(2, refusal.message).varint(1, refusal.code);
    }),
  );

function batchResponse(correlationId: string, request: Addressed, fill: (response: MessageWriter) => void): Buffer {
  const response = new MessageWriter();
  writeExpectation(response, request.expectation, { revision: 5, 'no-stream': 6, any: 7, 'stream-exists': 8 });
  response.message(4, (identifier) => identifier.string(3, request.stream));
  fill(response);
  return response.message(1, (uuid) => uuid.string(2, correlationId)).frame();
}

function writeDone(response: MessageWriter, field: number, { lastRevision, position }: Done): MessageWriter {
  return response.message(field, (success) => {
    if (position === undefined) success.empty(4);
    else success.message(3, () => writePosition(success, position));
    if (lastRevision === NO_EVENTS) success.empty(2);
    else success.varint(1, lastRevision);
  });
}

const writePosition = (message: MessageWriter, position: number): MessageWriter =>
  message.varint(2, position).varint(1, position);

/** Writes the fields that AppendResp and BatchAppendResp share for a wrong version; `first` is the first field's number. */
function writeWrongVersion(
  message: MessageWriter,
  first: number,
  { currentRevision }: WrongVersion,
  expectation: Expectation,
): void {
  const fields = { revision: first + 2, any: first + 3, 'stream-exists': first + 4, 'no-stream': first + 5 };
  writeExpectation(message, expectation, fields);
  if (currentRevision === NO_EVENTS) message.empty(first + 1);
  else message.varint(first, currentRevision);
}

function writeExpectation(
  message: MessageWriter,
  expectation: Expectation,
  fields: Record<Exclude<Expectation, number> | 'revision', number>,
): void {
  if (typeof expectation === 'number') message.varint(fields.revision, expectation);
  else message.empty(fields[expectation]);
}

export const isAscii = (stream: string): boolean => /^[\x20-\x7e]*$/.test(stream);
