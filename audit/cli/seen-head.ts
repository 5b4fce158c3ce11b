import { readFile, writeFile } from 'node:fs/promises';
import type { SeenHead, Verdict } from '../replay/verify.js';

/** The head that an earlier verification wrote to this file; null when there is no such file yet. */
export async function readSeenHead(file: string): Promise<SeenHead | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const { events, chain } = JSON.parse(text) as SeenHead;
  if (!Number.isSafeInteger(events) || !/^[0-9a-f]{64}$/.test(chain))
    throw new Error(`${file} holds no verified head.`);
  return { events, chain };
}

/** Writes the head of a verification without findings, for the next one. */
export async function writeSeenHead(file: string, { events, chain, findingCount }: Verdict): Promise<void> {
  if (findingCount === 0) await writeFile(file, `${JSON.stringify({ events, chain })}\n`);
}
