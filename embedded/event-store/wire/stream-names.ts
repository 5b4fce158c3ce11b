import { describedStreamOf, isMetadataStream } from '../core/stream-state.js';
import { ALL_STREAM } from './access-control.js';

/** Why nothing can be written to a stream of this name; undefined when it can. */
export function refuseStreamName(stream: string): string | undefined {
  if (stream === '') return 'A stream needs a name.';
  if (stream === ALL_STREAM) return '$all is the whole log and cannot be written to.';
  if (stream === '$$' || (isMetadataStream(stream) && isMetadataStream(describedStreamOf(stream)))) {
    return `${stream} would be the metadata of no stream or of metadata.`;
  }
  return undefined;
}
