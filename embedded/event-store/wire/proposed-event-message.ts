import { FieldReader, MalformedMessageError } from '../encoding/protobuf.js';
import { ID_LENGTH, type ProposedEvent } from '../log/proposed-event.js';
import { NAME_LIMIT } from './stream-names.js';
import { checkText } from './text-field.js';
import { isUuid, readStructuredUuid } from './uuid-message.js';

/** The message can be read, but an event in it cannot be taken. */
export class RefusedEventError extends Error {
  constructor(
    message: string,
    readonly lacksMetadata: boolean,
  ) {
    super(message);
  }
}

const TYPE = 'type';
const CONTENT_TYPE = 'content-type';
const ZERO = '0'.charCodeAt(0);
const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** Scratch readers, so that reading a thousand events makes no thousand readers. */
const eventReader = new FieldReader(Buffer.alloc(0));
const innerReader = new FieldReader(Buffer.alloc(0));

/**
 * Finds the parts of the proposed event that lies at [start, stop) in the source; nothing is copied.
 *
 * @throws RefusedEventError, MalformedMessageError
 */
export function readProposedEvent(source: Buffer, start: number, stop: number): ProposedEvent {
  const event: ProposedEvent = {
    source,
    idStart: -1,
    typeStart: -1,
    typeStop: -1,
    contentTypeStart: -1,
    contentTypeStop: -1,
    metadataStart: 0,
    metadataStop: 0,
    dataStart: 0,
    dataStop: 0,
  };
  let structuredId: string | undefined;
  const reader = eventReader.over(source, start, stop);
  while (reader.next()) {
    // What a newer client says besides is not ours to judge.
    if (reader.field > 4) continue;
    reader.expectBytes();
    switch (reader.field) {
      case 1:
        structuredId = placeId(event, innerReader.over(source, reader.start, reader.stop));
        break;
      case 2:
        placeMetadata(event, innerReader.over(source, reader.start, reader.stop));
        break;
      case 3:
        event.metadataStart = reader.start;
        event.metadataStop = reader.stop;
        break;
      case 4:
        event.dataStart = reader.start;
        event.dataStop = reader.stop;
        break;
    }
  }
  eventReader.release();
  innerReader.release();
  const missing = [];
  if (event.typeStart < 0) missing.push(TYPE);
  if (event.contentTypeStart < 0) missing.push(CONTENT_TYPE);
  if (missing.length > 0) throw new RefusedEventError(`An event lacks the metadata ${missing.join(' and ')}.`, true);
  if (event.typeStart === event.typeStop) throw new RefusedEventError('An event needs a type.', false);
  if (Math.max(event.typeStop - event.typeStart, event.contentTypeStop - event.contentTypeStart) > NAME_LIMIT) {
    throw new RefusedEventError(`An event type may have ${NAME_LIMIT} bytes.`, false);
  }
  const identified = structuredId === undefined ? event : withId(event, structuredId);
  if (identified.idStart < 0) throw new MalformedMessageError('an event has no id');
  if (isNilId(identified)) throw new RefusedEventError('An event needs an id other than the nil UUID.', false);
  return identified;
}

/** The real server takes it for a missing id. */
function isNilId({ source, idStart }: ProposedEvent): boolean {
  return source[idStart] === ZERO && source.toString('latin1', idStart, idStart + ID_LENGTH) === NIL_ID;
}

/** @returns the id as text when it came as two numbers */
function placeId(event: ProposedEvent, reader: FieldReader): string | undefined {
  while (reader.next()) {
    if (reader.field === 1) return readStructuredUuid(reader.nested());
    if (reader.field !== 2) continue;
    reader.expectBytes();
    if (!isUuid(reader.buffer, reader.start, reader.stop)) throw new MalformedMessageError('an event id is no UUID');
    event.idStart = reader.start;
  }
  return undefined;
}

function placeMetadata(event: ProposedEvent, entry: FieldReader): void {
  let keyStart = 0;
  let keyStop = 0;
  let valueStart = 0;
  let valueStop = 0;
  while (entry.next()) {
    if (entry.field > 2) continue;
    entry.expectBytes();
    if (entry.field === 1) {
      keyStart = entry.start;
      keyStop = entry.stop;
    } else if (entry.field === 2) {
      valueStart = entry.start;
      valueStop = entry.stop;
    }
  }
  // The two known keys differ in length.
  const keyLength = keyStop - keyStart;
  if (keyLength === TYPE.length && entry.buffer.toString('latin1', keyStart, keyStop) === TYPE) {
    checkText(entry.buffer, valueStart, valueStop, 'an event type');
    event.typeStart = valueStart;
    event.typeStop = valueStop;
  } else if (keyLength === CONTENT_TYPE.length && entry.buffer.toString('latin1', keyStart, keyStop) === CONTENT_TYPE) {
    checkText(entry.buffer, valueStart, valueStop, 'a content type');
    event.contentTypeStart = valueStart;
    event.contentTypeStop = valueStop;
  }
}

/** Moves an event to a buffer of its own that has the id as text. */
function withId(event: ProposedEvent, id: string): ProposedEvent {
  const shift = (offset: number) => offset + ID_LENGTH;
  return {
    source: Buffer.concat([Buffer.from(id, 'latin1'), event.source]),
    idStart: 0,
    typeStart: shift(event.typeStart),
    typeStop: shift(event.typeStop),
    contentTypeStart: shift(event.contentTypeStart),
    contentTypeStop: shift(event.contentTypeStop),
    metadataStart: shift(event.metadataStart),
    metadataStop: shift(event.metadataStop),
    dataStart: shift(event.dataStart),
    dataStop: shift(event.dataStop),
  };
}
