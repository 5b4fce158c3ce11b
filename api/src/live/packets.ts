import type { ServerToClient } from '../../../contracts/live.js';

/** A message of the server, without its audience. */
export interface Message {
  name: keyof ServerToClient;
  body: object;
}

/** Messages in the form in which they are sent, in order. */
export interface Packets {
  /** Each message as a Socket.IO packet: an event in the default namespace. */
  texts: string[];
  /** All messages as WebSocket frames, one after another. */
  frames: Buffer;
}

/** Encodes messages once for all sockets. */
export function packetsOf(messages: readonly Message[]): Packets {
  const texts = messages.map(({ name, body }) => `2${JSON.stringify([name, body])}`);
  return { texts, frames: Buffer.concat(texts.map((text) => textFrame(`4${text}`))) };
}

export const joined = (packets: readonly Packets[]): Packets => ({
  texts: packets.flatMap(({ texts }) => texts),
  frames: Buffer.concat(packets.map(({ frames }) => frames)),
});

/** A whole, unmasked, uncompressed text frame (RFC 6455, 5.2). */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x81;
  if (length < 126) head[1] = length;
  else if (length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}
