import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { NextFunction, Request, Response } from 'express';

/** What the build puts beside an asset, the smaller first (scripts/compress.mjs). */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof ENCODINGS;

/** Sends an asset as the build compressed it, to whoever takes it so. Everything else is left to the next handler. */
export function compressedAssets(folder: string, cacheControl: string) {
  const present = new Set(readdirSync(folder));
  return (request: Request, response: Response, next: NextFunction) => {
    const name = request.path.slice(1);
    const encoded = (Object.keys(ENCODINGS) as Encoding[]).filter((one) => present.has(name + ENCODINGS[one]));
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (encoded.length === 0 || !isRead) return next();
    response.vary('Accept-Encoding');
    const encoding = request.acceptsEncodings(encoded) as Encoding | false;
    if (encoding === false) return next();
    response.setHeader('Content-Encoding', encoding);
    response.setHeader('Cache-Control', cacheControl);
    response.type(extname(name));
    response.sendFile(join(folder, name + ENCODINGS[encoding]), { cacheControl: false });
  };
}
