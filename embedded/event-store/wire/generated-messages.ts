import { MalformedMessageError } from '../encoding/protobuf.js';

/** Decodes a message with its generated class, for the requests that come rarely. */
export function decodeWith<Message>(type: { deserializeBinary(bytes: Uint8Array): Message }, bytes: Buffer): Message {
  try {
    return type.deserializeBinary(bytes);
  } catch (error) {
    // google-protobuf throws plain Errors and AssertionErrors for bytes that are no message.
    throw new MalformedMessageError(error instanceof Error ? error.message : String(error));
  }
}
