import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import swcJest from '@swc/jest';

const OWN_SOURCE = readFileSync(fileURLToPath(import.meta.url));

/** Compiles a source with SWC, and wraps the result in a call that runs it in the worker's own realm: see environment.mjs. */
export default {
  createTransformer(options) {
    const swc = swcJest.createTransformer(options);
    return {
      process(source, filename, jestOptions) {
        const { code, map } = swc.process(source, filename, jestOptions);
        const run = `runInWorkerRealm(${JSON.stringify(code)}, module, exports, require, __dirname, __filename, jest);`;
        return { code: run, map };
      },
      getCacheKey: (...args) =>
        createHash('sha1')
          .update(swc.getCacheKey(...args))
          .update(OWN_SOURCE)
          .digest('hex'),
    };
  },
};
