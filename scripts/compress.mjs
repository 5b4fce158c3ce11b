import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Below this a header costs more than it saves. */
const WORTH_IT_BYTES = 1_024;
const ways = {
  '.br': (content) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  '.gz': (content) => promisify(gzip)(content, { level: 9 }),
};

/** Puts beside every page, script and style sheet of a folder what the api sends of it (api/src/http/compressed-files.ts). */
export async function compressAssets(folder) {
  const names = readdirSync(folder).filter((name) => /\.(js|css|svg|html)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const content = readFileSync(join(folder, name));
      if (content.length < WORTH_IT_BYTES) return;
      for (const [ending, compress] of Object.entries(ways))
        writeFileSync(join(folder, name + ending), await compress(content));
    }),
  );
}
