import jspb from 'google-protobuf';

/**
 * The event store's client hands each event's JSON to google-protobuf as base64, which that decodes a character at a time,
 * twice an event: measured, a third of what a purchase costs. Node decodes the same text in native code.
 */
export function decodeBase64Natively(): void {
  jspb.Message.bytesAsU8 = (value) => (typeof value === 'string' ? Buffer.from(value, 'base64') : value);
}
