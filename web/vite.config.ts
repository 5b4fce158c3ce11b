import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { firstPaint } from './first-paint-plugin.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const api = process.env.API_ORIGIN ?? 'http://127.0.0.1:3000';

/** The first load's scripts: the clock's, and all others in one, which compresses better than many. */
const FIRST_LOAD = [
  { name: 'first-clock', test: /first-clock\.ts$/, priority: 1 },
  { name: 'first-load', tags: ['$initial' as const] },
];

export default defineConfig({
  root: here,
  plugins: [react(), tailwindcss(), firstPaint(here)],
  // React has the hook for which the router's store brings a shim.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim/, replacement: 'use-sync-external-store' }] },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    sourcemap: true,
    // A chunk is imported at the same time as it would be preloaded.
    modulePreload: {
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === 'html' ? needed : needed.filter((f) => f !== file),
    },
    rolldownOptions: {
      input: { index: join(here, 'index.html'), 'first-clock': join(here, 'src/first-clock.ts') },
      output: { codeSplitting: { groups: FIRST_LOAD } },
    },
  },
  // The proxy keeps the browser's Origin header, which the api checks on every command.
  server: { port: 5173, proxy: { '/api': { target: api }, '/log': { target: api }, '/ws': { target: api, ws: true } } },
});
