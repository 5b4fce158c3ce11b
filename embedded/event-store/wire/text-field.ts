import { MalformedMessageError } from '../encoding/protobuf.js';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

export function checkedText(bytes: Buffer, what: string): string {
  checkText(bytes, 0, bytes.length, what);
  return bytes.toString('utf8');
}

/** protobuf's strings are UTF-8; one that is not would make every later reader's decoder fail. */
export function checkText(buffer: Buffer, start: number, stop: number, what: string): void {
  for (let at = start; at < stop; at++) {
    if (buffer[at]! < 0x80) continue;
    try {
      strictUtf8.decode(buffer.subarray(start, stop));
      return;
    } catch {
      throw new MalformedMessageError(`${what} is not UTF-8`);
    }
  }
}
