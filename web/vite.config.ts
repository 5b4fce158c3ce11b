import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { firstPaint } from './first-paint-plugin.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const api = process.env.API_ORIGIN ?? 'http://127.0.0.1:3000';

/** Preloads the font of the clock, so that the first digits appear in it and nothing moves. */
const preloadFont: Plugin = {
  name: 'preload-font',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const font = Object.keys(bundle).find((file) => /archivo-latin-wdth-normal-.*\.woff2$/.test(file));
      if (font === undefined) return [];
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
};

const NO_ASSETS = 'const ASSETS = [];';

/** Writes `sw.js` with the paths of the build's hashed files. */
const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const source = readFileSync(join(here, 'service-worker.js'), 'utf8');
    if (!source.includes(NO_ASSETS)) throw new Error(`service-worker.js has no ${NO_ASSETS}`);
    const files = Object.keys(bundle).filter((file) => file.startsWith('assets/') && !file.endsWith('.map'));
    const assets = JSON.stringify(files.map((file) => `/${file}`).sort());
    this.emitFile({ type: 'asset', fileName: 'sw.js', source: source.replace(NO_ASSETS, `const ASSETS = ${assets};`) });
  },
};

export default defineConfig({
  root: here,
  plugins: [react(), tailwindcss(), preloadFont, firstPaint(here), serviceWorker],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    sourcemap: true,
    // A chunk is imported at the same time as it would be preloaded.
    modulePreload: {
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === 'html' ? needed : needed.filter((f) => f !== file),
    },
    // Everything that the first load needs in one file: it compresses better than many, and arrives in one round trip.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first-load', tags: ['$initial'] }] } } },
  },
  // The proxy keeps the browser's Origin header, which the api checks on every command.
  server: { port: 5173, proxy: { '/api': { target: api }, '/log': { target: api }, '/ws': { target: api, ws: true } } },
});
