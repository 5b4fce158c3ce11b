import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const NO_ASSETS = 'const ASSETS = [];';

/** Writes `sw.js` with the paths of the build's hashed files. */
export const serviceWorker = (root: string): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const source = readFileSync(join(root, 'service-worker.js'), 'utf8');
    if (!source.includes(NO_ASSETS)) throw new Error(`service-worker.js has no ${NO_ASSETS}`);
    const files = Object.keys(bundle).filter((file) => file.startsWith('assets/') && !file.endsWith('.map'));
    const assets = JSON.stringify(files.map((file) => `/${file}`).sort());
    this.emitFile({ type: 'asset', fileName: 'sw.js', source: source.replace(NO_ASSETS, `const ASSETS = ${assets};`) });
  },
});
