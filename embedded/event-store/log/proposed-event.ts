/**
 * An event that a client proposes, as spans of the buffer it arrived in. A big append carries a thousand of these, so
 * nothing is copied out of the buffer before it is copied into the log.
 */
export interface ProposedEvent {
  source: Buffer;
  /** Where the 36 ASCII characters of the event's id lie. */
  idStart: number;
  typeStart: number;
  typeStop: number;
  contentTypeStart: number;
  contentTypeStop: number;
  metadataStart: number;
  metadataStop: number;
  dataStart: number;
  dataStop: number;
}

export const ID_LENGTH = 36;

/** In the spelling in which ids are kept. */
export function idOf(event: ProposedEvent): string {
  return event.source.toString('latin1', event.idStart, event.idStart + ID_LENGTH).toLowerCase();
}

/** Bytes that count against the append limit, as EventStoreDB counts them. */
export function sizeOf(event: ProposedEvent): number {
  const typeLength = event.typeStop - event.typeStart;
  return event.dataStop - event.dataStart + (event.metadataStop - event.metadataStart) + 2 * typeLength;
}

/** An event of the server's own making: metadata, a tombstone. */
export function proposeJson(id: string, type: string, json: string): ProposedEvent {
  const contentType = 'application/json';
  const source = Buffer.from(id + type + contentType + json, 'utf8');
  const typeStop = ID_LENGTH + Buffer.byteLength(type);
  const contentTypeStop = typeStop + contentType.length;
  return {
    source,
    idStart: 0,
    typeStart: ID_LENGTH,
    typeStop,
    contentTypeStart: typeStop,
    contentTypeStop,
    metadataStart: 0,
    metadataStop: 0,
    dataStart: contentTypeStop,
    dataStop: source.length,
  };
}
