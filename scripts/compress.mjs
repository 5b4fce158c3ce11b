import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Smaller files are not compressed: the extra header costs more than compression saves. */
const MIN_BYTES = 512;
const compressors = {
  '.br': (content) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  '.gz': (content) => promisify(gzip)(content, { level: 9 }),
};

/** Writes a brotli and a gzip copy of every page, script, style sheet and SVG in a folder; the api sends the copies. */
export async function compressAssets(folder) {
  const names = readdirSync(folder).filter((name) => /\.(js|css|svg|html)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const content = readFileSync(join(folder, name));
      if (content.length < MIN_BYTES) return;
      for (const [ending, compress] of Object.entries(compressors))
        writeFileSync(join(folder, name + ending), await compress(content));
    }),
  );
}
