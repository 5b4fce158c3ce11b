import streams from '@eventstore/db-client/generated/streams_pb.js';
import jspb from 'google-protobuf';

const { ProposedMessage } = streams.BatchAppendReq;
type ProposedMessage = InstanceType<typeof ProposedMessage>;

/**
 * Two shortcuts in how the event store's client encodes an append; measured, it was the larger part of what a purchase
 * costs. What travels is the same, byte for byte.
 */
export function encodeFaster(): void {
  decodeBase64Natively();
  encodeMessagesOnce();
}

/** Each event's JSON is handed to google-protobuf as base64, which that decodes a character at a time. */
function decodeBase64Natively(): void {
  jspb.Message.bytesAsU8 = (value) => (typeof value === 'string' ? Buffer.from(value, 'base64') : value);
}

/** Each message is encoded to learn its size, and then again within its request: the first bytes are kept for that. */
function encodeMessagesOnce(): void {
  const encode = ProposedMessage.serializeBinaryToWriter;
  const encoded = new WeakMap<ProposedMessage, Uint8Array>();
  ProposedMessage.prototype.serializeBinary = function (this: ProposedMessage): Uint8Array {
    const writer = new jspb.BinaryWriter();
    encode(this, writer);
    const bytes = writer.getResultBuffer();
    encoded.set(this, bytes);
    return bytes;
  };
  ProposedMessage.serializeBinaryToWriter = (message, writer) => {
    const bytes = encoded.get(message);
    if (bytes) writer.writeSerializedMessage(bytes, 0, bytes.length);
    else encode(message, writer);
  };
}
