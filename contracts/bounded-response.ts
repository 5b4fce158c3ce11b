/** Reads responses of other servers up to a limit, so that a long one cannot fill the memory. */
import { type Bytes, concat } from './transparency/tree.js';

/** The server sent no response, or an invalid one. */
export class UnreadableResponse extends Error {
  /** @param status of the response, when there was one */
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

/** @param name of the request, for the error. Throws UnreadableResponse. */
export async function readAtMost(maxBytes: number, { body, status }: Response, name: string): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    chunks.push(next.value as Uint8Array);
    size += chunks.at(-1)?.length ?? 0;
    if (size <= maxBytes) continue;
    await reader?.cancel();
    throw new UnreadableResponse(`${name} has more than ${maxBytes} bytes`, status);
  }
  return concat(chunks);
}
