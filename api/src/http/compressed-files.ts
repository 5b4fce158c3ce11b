import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Request, Response } from 'express';

/** What the build puts beside a file, the smaller first (scripts/compress.mjs). */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof ENCODINGS;

/**
 * Sends the files of a folder as the build compressed them, to whoever takes them so.
 *
 * @returns what sends one of them, or returns false where that is for others to do
 */
export function compressedFiles(folder: string, cacheControl: string) {
  const present = new Set(readdirSync(folder));
  return (name: string, request: Request, response: Response): boolean => {
    const encoded = (Object.keys(ENCODINGS) as Encoding[]).filter((one) => present.has(name + ENCODINGS[one]));
    if (encoded.length === 0) return false;
    response.vary('Accept-Encoding');
    const encoding = request.acceptsEncodings(encoded) as Encoding | false;
    if (encoding === false) return false;
    response.setHeader('Content-Encoding', encoding);
    response.setHeader('Cache-Control', cacheControl);
    response.type(extname(name));
    response.sendFile(join(folder, name + ENCODINGS[encoding]), { cacheControl: false });
    return true;
  };
}
