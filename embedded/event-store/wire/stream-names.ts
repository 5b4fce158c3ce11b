import type { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb.js';
import { describedStreamOf, isMetadataStream } from '../core/stream-state.js';
import { ALL_STREAM } from './access-control.js';
import { invalidArgument } from './grpc-status.js';
import { checkedText } from './text-field.js';

/** Of stream names and event types, in characters. Long enough for everybody, short enough for filters to stay quick. */
export const NAME_LIMIT = 4_096;
const TOO_LONG = `The name of a stream may have ${NAME_LIMIT} characters.`;

/** Why nothing can be written to a stream of this name; undefined when it can. */
export function refuseStreamName(stream: string): string | undefined {
  if (stream === '') return 'A stream needs a name.';
  if (stream.length > NAME_LIMIT) return TOO_LONG;
  if (stream === ALL_STREAM) return '$all is the whole log and cannot be written to.';
  if (stream === '$$' || (isMetadataStream(stream) && isMetadataStream(describedStreamOf(stream)))) {
    return `${stream} would be the metadata of no stream or of metadata.`;
  }
  return undefined;
}

/** @throws GrpcError, MalformedMessageError for a name that no stream can have */
export function readableStreamName(identifier: StreamIdentifier | undefined): string {
  const name = checkedText(Buffer.from(identifier?.getStreamName_asU8() ?? []), 'a stream name');
  if (name === '') throw invalidArgument('A stream needs a name.');
  if (name.length > NAME_LIMIT) throw invalidArgument(TOO_LONG);
  return name;
}
