import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rollup, runnerImport } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const api = process.env.API_ORIGIN ?? 'http://127.0.0.1:3000';

const EMPTY_ROOT = '<div id="root"></div>';
/** The tags that Vite writes for the page's code and styles. */
const TAGS = /\s*<(script type="module"|link rel="(stylesheet|modulepreload)")[^>]*>(<\/script>)?/g;
/** The request whose response first-clock.ts takes over. */
const CLOCK_STATE = '<link rel="preload" as="fetch" crossorigin href="/api/state">';

/** Writes the pages: the main page with its first paint, and `page.html`, which is empty, for every other address. */
const firstPaint = (root: string): Plugin => ({
  name: 'first-paint',
  apply: 'build',
  enforce: 'post',
  async generateBundle(_options, bundle) {
    const index = bundle['index.html'];
    if (index?.type !== 'asset') throw new Error('the build made no index.html');
    const empty = String(index.source).replace(TAGS, '');
    if (!empty.includes(EMPTY_ROOT)) throw new Error(`index.html has no ${EMPTY_ROOT}`);
    const painter = await runnerImport<typeof import('./src/first-paint.js')>(join(root, 'src/first-paint.tsx'), {
      configFile: false,
      plugins: [withoutStyles],
    });
    const pageWith = (tags: string[], content: string) =>
      empty
        .replace('</head>', () => `  ${tags.join('\n    ')}\n  </head>`)
        .replace(EMPTY_ROOT, () => `<div id="root">${content}</div>`);
    index.source = pageWith(tagsOf(bundle, true), await painter.module.firstPaint());
    this.emitFile({ type: 'asset', fileName: 'page.html', source: pageWith(tagsOf(bundle, false), '') });
  },
});

const withoutStyles: Plugin = {
  name: 'without-styles',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.css') ? '\0style' : null),
  load: (id) => (id === '\0style' ? '' : null),
};

/** The files that a page loads. Styles and font come first, because the first paint needs no code but that of its clock. */
function tagsOf(bundle: Rollup.OutputBundle, isPainted: boolean): string[] {
  const main = chunkOf(bundle, '/index.html');
  const clock = isPainted ? chunkOf(bundle, '/src/first-clock.ts').fileName : null;
  const later = main.imports.filter((file) => file !== clock);
  const fonts = [...(isPainted ? ['clock-digits-'] : []), 'archivo-latin-wdth-normal-'].map((name) =>
    Object.keys(bundle).find((file) => file.includes(name)),
  );
  const script = (file: string) => `type="module" crossorigin src="/${file}"></script>`;
  const priority = isPainted ? ' fetchpriority="low"' : '';
  return [
    ...[...(main.viteMetadata?.importedCss ?? [])].map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...(clock === null ? [] : [CLOCK_STATE, `<script ${script(clock)}`]),
    `<script${priority} ${script(main.fileName)}`,
    ...later.map((file) => `<link rel="modulepreload"${priority} crossorigin href="/${file}">`),
    ...fonts.map((file) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}">`),
  ];
}

function chunkOf(bundle: Rollup.OutputBundle, module: string): Rollup.OutputChunk {
  const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(module));
  if (chunk?.type !== 'chunk') throw new Error(`${module} is not a chunk of its own`);
  return chunk;
}

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
  server: {
    port: 5173,
    proxy: {
      '/api': { target: api },
      '/log': { target: api },
      '/ws': { target: api, ws: true },
    },
  },
});
