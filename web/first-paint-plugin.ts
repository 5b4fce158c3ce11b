import { join } from 'node:path';
import { type Plugin, type Rollup, runnerImport } from 'vite';

const EMPTY_ROOT = '<div id="root"></div>';
/** The tags that Vite writes for the page's code and styles. */
const TAGS = /\s*<(script type="module"|link rel="(stylesheet|modulepreload)")[^>]*>(<\/script>)?/g;
/** The request whose response first-clock.ts takes over. */
const CLOCK_STATE = '<link rel="preload" as="fetch" crossorigin href="/api/state">';

/** The pages: the path of the first paint, and a module that only this page fetches. */
const PAGES = [
  { fileName: 'page.html', path: null, module: null },
  { fileName: 'index.html', path: '/', module: null },
  { fileName: 'gamers-guide.html', path: '/gamers-guide', module: '/src/app/guide-page.tsx' },
];

/** Writes the pages: two with a first paint, and an empty one for every other address. */
export const firstPaint = (root: string): Plugin => ({
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
    for (const page of PAGES) {
      const painted = page.path === null ? '' : await painter.module.firstPaint(page.path);
      const source = empty
        .replace('</head>', () => `  ${tagsOf(page, bundle).join('\n    ')}\n  </head>`)
        .replace(EMPTY_ROOT, () => `<div id="root">${painted}</div>`);
      if (page.fileName === index.fileName) index.source = source;
      else this.emitFile({ type: 'asset', fileName: page.fileName, source });
    }
  },
});

const withoutStyles: Plugin = {
  name: 'without-styles',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.css') ? '\0style' : null),
  load: (id) => (id === '\0style' ? '' : null),
};

/** The files that a page loads. Styles and font come first, because a first paint needs no code but that of its clock. */
function tagsOf({ path, module }: (typeof PAGES)[number], bundle: Rollup.OutputBundle): string[] {
  const main = chunkOf(bundle, '/index.html');
  const clock = path === '/' ? chunkOf(bundle, '/src/first-clock.ts').fileName : null;
  const chunks = module === null ? [main] : [main, chunkOf(bundle, module)];
  const styles = chunks.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
  const code = new Set(chunks.flatMap(({ fileName, imports }) => [fileName, ...imports]));
  const later = [...code].filter((file) => file !== main.fileName && file !== clock);
  const fonts = [...(clock === null ? [] : ['clock-digits-']), 'archivo-latin-wdth-normal-'].map((name) =>
    Object.keys(bundle).find((file) => file.includes(name)),
  );
  const script = (file: string) => `type="module" crossorigin src="/${file}"></script>`;
  const priority = path === null ? '' : ' fetchpriority="low"';
  return [
    ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
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
