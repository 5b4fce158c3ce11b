import type { Expectation } from '../core/expectation.js';
import { NO_EVENTS } from '../core/stream-state.js';
import { FieldWriter } from '../encoding/protobuf.js';
import type { Outcome } from '../log/log-writer.js';
import { GrpcError, Status, type StatusCode } from './grpc-status.js';
import { frameMessage } from './message-framing.js';

type Done = Extract<Outcome, { kind: 'done' }>;

const EMPTY = Buffer.alloc(0);
const TEXT_NAME_LENGTH = 200;

/** Which request an answer is about. */
export interface Addressed {
  stream: string;
  expectation: Expectation;
}

export function streamDeletedError(stream: string): GrpcError {
  return new GrpcError(Status.FAILED_PRECONDITION, streamDeletedText(stream), {
    exception: 'stream-deleted',
    'stream-name': asciiName(stream),
  });
}

/** For Delete and Tombstone, which have no field for it: the client reads these trailers. */
export function wrongExpectedVersionError(request: Addressed, currentRevision: number): GrpcError {
  const current = currentRevision === NO_EVENTS ? '' : String(currentRevision);
  return new GrpcError(Status.FAILED_PRECONDITION, wrongVersionText(request, currentRevision), {
    exception: 'wrong-expected-version',
    'stream-name': asciiName(request.stream),
    'expected-version': String(expectedNumber(request.expectation)),
    'actual-version': current,
  });
}

export function appendTooLargeError(limitBytes: number): GrpcError {
  return new GrpcError(Status.INVALID_ARGUMENT, `An append may have ${limitBytes} bytes.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(limitBytes),
  });
}

export function missingMetadataError(text: string): GrpcError {
  return new GrpcError(Status.INVALID_ARGUMENT, text, {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });
}

export function appendResponse(outcome: Done): Buffer {
  return frameMessage(new FieldWriter().message(1, (success) => writeDone(success, outcome)).finish());
}

/** AppendResp.WrongExpectedVersion; the fields 1 to 5 are those of servers before 20.6.1 and stay empty. */
export function wrongVersionResponse(request: Addressed, currentRevision: number): Buffer {
  const response = new FieldWriter().message(2, (wrong) => {
    if (currentRevision === NO_EVENTS) wrong.bytes(7, EMPTY);
    else wrong.varint(6, currentRevision);
    writeExpectation(wrong, request.expectation, { revision: 8, any: 9, streamExists: 10, noStream: 11 });
  });
  return frameMessage(response.finish());
}

export function deleteResponse(position: number): Buffer {
  return frameMessage(new FieldWriter().message(1, (field) => writePosition(field, position)).finish());
}

export function batchSuccess(correlationId: string, request: Addressed, outcome: Done): Buffer {
  return batchResponse(correlationId, request, (response) => {
    response.message(3, (success) => writeDone(success, outcome));
  });
}

export function batchWrongVersion(correlationId: string, request: Addressed, currentRevision: number): Buffer {
  const details = new FieldWriter();
  if (currentRevision === NO_EVENTS) details.bytes(2, EMPTY);
  else details.varint(1, currentRevision);
  writeExpectation(details, request.expectation, { revision: 3, any: 4, streamExists: 5, noStream: 6 });
  const text = wrongVersionText(request, currentRevision);
  return batchError(correlationId, request, Status.FAILED_PRECONDITION, text, 'WrongExpectedVersion', details);
}

export function batchStreamDeleted(correlationId: string, request: Addressed): Buffer {
  const details = new FieldWriter().message(1, (identifier) => identifier.string(3, request.stream));
  const text = streamDeletedText(request.stream);
  return batchError(correlationId, request, Status.FAILED_PRECONDITION, text, 'StreamDeleted', details);
}

export function batchTimeout(correlationId: string, request: Addressed): Buffer {
  const text = 'The deadline passed before the append was begun.';
  return batchError(correlationId, request, Status.DEADLINE_EXCEEDED, text, 'Timeout', new FieldWriter());
}

export function batchTooLarge(correlationId: string, request: Addressed, limitBytes: number): Buffer {
  const details = new FieldWriter().varint(1, limitBytes);
  const text = `An append may have ${limitBytes} bytes.`;
  return batchError(correlationId, request, Status.INVALID_ARGUMENT, text, 'MaximumAppendSizeExceeded', details);
}

export function batchAccessDenied(correlationId: string, request: Addressed): Buffer {
  const text = 'Access denied.';
  return batchError(correlationId, request, Status.PERMISSION_DENIED, text, 'AccessDenied', new FieldWriter());
}

export function batchBadRequest(correlationId: string, request: Addressed, text: string): Buffer {
  const details = new FieldWriter().string(1, text);
  return batchError(correlationId, request, Status.INVALID_ARGUMENT, text, 'BadRequest', details);
}

/** A google.rpc.Status with one of EventStoreDB's messages as its details. */
function batchError(
  correlationId: string,
  request: Addressed,
  code: StatusCode,
  text: string,
  detailsType: string,
  details: FieldWriter,
): Buffer {
  return batchResponse(correlationId, request, (response) => {
    response.message(2, (status) => {
      status.varint(1, code).string(2, text);
      status.message(3, (any) => {
        any.string(1, `type.googleapis.com/event_store.client.${detailsType}`).bytes(2, details.finish());
      });
    });
  });
}

function batchResponse(correlationId: string, request: Addressed, fill: (response: FieldWriter) => void): Buffer {
  const response = new FieldWriter().message(1, (uuid) => uuid.string(2, correlationId));
  fill(response);
  response.message(4, (identifier) => identifier.string(3, request.stream));
  writeExpectation(response, request.expectation, { revision: 5, noStream: 6, any: 7, streamExists: 8 });
  return frameMessage(response.finish());
}

function writeDone(success: FieldWriter, outcome: Done): void {
  if (outcome.lastRevision === NO_EVENTS) success.bytes(2, EMPTY);
  else success.varint(1, outcome.lastRevision);
  const { position } = outcome;
  if (position === undefined) success.bytes(4, EMPTY);
  else success.message(3, (field) => writePosition(field, position));
}

function writePosition(field: FieldWriter, position: number): void {
  field.varint(1, position).varint(2, position);
}

function writeExpectation(
  message: FieldWriter,
  expectation: Expectation,
  fields: { revision: number; any: number; streamExists: number; noStream: number },
): void {
  if (typeof expectation === 'number') message.varint(fields.revision, expectation);
  else if (expectation === 'any') message.bytes(fields.any, EMPTY);
  else if (expectation === 'stream-exists') message.bytes(fields.streamExists, EMPTY);
  else message.bytes(fields.noStream, EMPTY);
}

function wrongVersionText(request: Addressed, currentRevision: number): string {
  const expected = expectedNumber(request.expectation);
  return `Append failed due to WrongExpectedVersion. Stream: ${shortened(request.stream)}, Expected version: ${expected}, Actual version: ${currentRevision}`;
}

function streamDeletedText(stream: string): string {
  return `The stream ${shortened(stream)} is deleted.`;
}

/** For texts that travel in a header, which must not grow too large for the client. */
function shortened(stream: string): string {
  return stream.length <= TEXT_NAME_LENGTH ? stream : `${stream.slice(0, TEXT_NAME_LENGTH)}…`;
}

/** EventStoreDB's numbers for the expectations that are no revision. */
function expectedNumber(expectation: Expectation): number {
  if (typeof expectation === 'number') return expectation;
  return { 'no-stream': -1, any: -2, 'stream-exists': -4 }[expectation];
}

/** Trailers are ASCII; names beyond it are escaped as in a URL. */
function asciiName(stream: string): string {
  return /^[\x20-\x7e]*$/.test(stream) ? stream : encodeURIComponent(stream);
}
