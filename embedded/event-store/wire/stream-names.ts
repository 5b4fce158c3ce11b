import { describedStreamOf, isMetadataStream } from '../core/stream-state.js';
import { ALL_STREAM } from './access-control.js';

/** Of stream names and event types, in characters. Long enough for everybody, short enough for filters to stay quick. */
export const NAME_LIMIT = 4_096;

/** Why nothing can be written to a stream of this name; undefined when it can. */
export function refuseStreamName(stream: string): string | undefined {
  if (stream === '') return 'A stream needs a name.';
  if (stream.length > NAME_LIMIT) return `The name of a stream may have ${NAME_LIMIT} characters.`;
  if (stream === ALL_STREAM) return '$all is the whole log and cannot be written to.';
  if (stream === '$$' || (isMetadataStream(stream) && isMetadataStream(describedStreamOf(stream)))) {
    return `${stream} would be the metadata of no stream or of metadata.`;
  }
  return undefined;
}
