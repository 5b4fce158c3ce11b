import { type FieldReader, MalformedMessageError } from '../encoding/protobuf.js';
import { ID_LENGTH } from '../log/proposed-event.js';

/** A UUID message, which holds its text or two numbers. */
export function readUuid(reader: FieldReader): string {
  while (reader.next()) {
    if (reader.field === 1) return readStructuredUuid(reader.nested());
    if (reader.field === 2) {
      reader.expectBytes();
      if (!isUuid(reader.buffer, reader.start, reader.stop)) throw new MalformedMessageError('an id is no UUID');
      return reader.string().toLowerCase();
    }
  }
  throw new MalformedMessageError('an id is empty');
}

export function readStructuredUuid(reader: FieldReader): string {
  let most = 0n;
  let least = 0n;
  while (reader.next()) {
    if (reader.field === 1) most = reader.uint64();
    if (reader.field === 2) least = reader.uint64();
  }
  const hex = ((most << 64n) | least).toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Whether these bytes are a UUID's text. */
export function isUuid(buffer: Buffer, start: number, stop: number): boolean {
  if (stop - start !== ID_LENGTH) return false;
  for (let index = 0; index < ID_LENGTH; index++) {
    const byte = buffer[start + index]!;
    const dash = index === 8 || index === 13 || index === 18 || index === 23;
    if (dash ? byte !== 0x2d : !isHexDigit(byte)) return false;
  }
  return true;
}

function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46);
}
