import { FieldWriter } from '../encoding/protobuf.js';
import { frameMessage } from './message-framing.js';

const EMPTY = Buffer.alloc(0);

/** The messages of a Read besides its events, framed. */
export const CAUGHT_UP = frameMessage(new FieldWriter().bytes(8, EMPTY).finish());
export const FELL_BEHIND = frameMessage(new FieldWriter().bytes(9, EMPTY).finish());

export function confirmation(subscriptionId: string): Buffer {
  return frameMessage(new FieldWriter().message(2, (message) => message.string(1, subscriptionId)).finish());
}

export function checkpoint(position: number): Buffer {
  return frameMessage(
    new FieldWriter().message(3, (message) => message.varint(1, position).varint(2, position)).finish(),
  );
}

export function streamNotFound(stream: string): Buffer {
  const response = new FieldWriter().message(4, (message) => {
    message.message(1, (identifier) => identifier.string(3, stream));
  });
  return frameMessage(response.finish());
}

export interface ReadEventParts {
  /** RecordedEvent messages. */
  event: Buffer | undefined;
  link: Buffer | undefined;
  position: number;
}

/** An event that cannot be sent as it lies in the log. */
export function readEvent({ event, link, position }: ReadEventParts): Buffer {
  const response = new FieldWriter().message(1, (message) => {
    if (event !== undefined) message.bytes(1, event);
    if (link !== undefined) message.bytes(2, link);
    message.varint(3, position);
  });
  return frameMessage(response.finish());
}

/** The same RecordedEvent with its id as two numbers, for clients that ask for that. */
export function withStructuredId(recorded: Buffer, id: string): Buffer {
  const number = BigInt(`0x${id.replaceAll('-', '')}`);
  const structured = new FieldWriter().message(1, (uuid) => {
    uuid.message(1, (parts) => {
      parts.uint64(1, number >> 64n).uint64(2, BigInt.asUintN(64, number));
    });
  });
  return Buffer.concat([structured.finish(), recorded.subarray(ID_FIELD_LENGTH)]);
}

/** In a stored event the id comes first: 0a 26 12 24 and 36 characters. */
const ID_FIELD_LENGTH = 40;
