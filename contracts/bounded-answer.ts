/** Answers of other servers, read no further than a limit: an answer of any length must not fill the memory. */
import { type Bytes, concat } from './transparency/tree.js';

/** A server did not answer, or not with what it must. */
export class UnreadableAnswer extends Error {
  /** @param status of the answer, when there was one */
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

/** @param name of what was asked, for the error. Throws UnreadableAnswer. */
export async function readAtMost(maxBytes: number, { body, status }: Response, name: string): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    chunks.push(next.value as Uint8Array);
    size += chunks.at(-1)?.length ?? 0;
    if (size <= maxBytes) continue;
    await reader?.cancel();
    throw new UnreadableAnswer(`${name} has more than ${maxBytes} bytes`, status);
  }
  return concat(chunks);
}
