import react from '@vitejs/plugin-react';
import { createServer, type Plugin, type Rollup } from 'vite';

const EMPTY_ROOT = '<div id="root"></div>';

/** The pages with a first paint: the file, the path, and the module that only this page fetches. */
const PAINTED = [
  { fileName: 'index.html', path: '/', module: null },
  { fileName: 'gamers-guide.html', path: '/gamers-guide', module: '/src/app/guide-page.tsx' },
];

/** Writes the painted pages with the HTML of src/first-paint.tsx, and an empty `page.html` for every other address. */
export const firstPaint = (root: string): Plugin => ({
  name: 'first-paint',
  apply: 'build',
  enforce: 'post',
  async generateBundle(_options, bundle) {
    const index = bundle['index.html'];
    if (index?.type !== 'asset') throw new Error('the build made no index.html');
    const empty = String(index.source);
    if (!empty.includes(EMPTY_ROOT)) throw new Error(`index.html has no ${EMPTY_ROOT}`);
    this.emitFile({ type: 'asset', fileName: 'page.html', source: empty });
    const paint = await openPainter(root);
    try {
      for (const { fileName, path, module } of PAINTED) {
        const painted = await paint(path);
        const page = stylesFirst(module === null ? empty : withModule(empty, chunkOf(bundle, module)));
        const source = page.replace(EMPTY_ROOT, () => `<div id="root">${painted}</div>`);
        if (fileName === index.fileName) index.source = source;
        else this.emitFile({ type: 'asset', fileName, source });
      }
    } finally {
      await paint.close();
    }
  },
});

async function openPainter(root: string) {
  const server = await createServer({
    root,
    configFile: false,
    plugins: [react()],
    appType: 'custom',
    logLevel: 'warn',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  const { firstPaint: paint } = await server.ssrLoadModule('/src/first-paint.tsx');
  return Object.assign((path: string): Promise<string> => paint(path), { close: () => server.close() });
}

function chunkOf(bundle: Rollup.OutputBundle, module: string): Rollup.OutputChunk {
  const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(module));
  if (chunk?.type !== 'chunk') throw new Error(`${module} is no chunk of its own`);
  return chunk;
}

function withModule(page: string, { fileName, imports, viteMetadata }: Rollup.OutputChunk): string {
  const code = [fileName, ...imports].filter((file) => !page.includes(file));
  const styles = [...(viteMetadata?.importedCss ?? [])];
  const tags = [
    ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...code.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ];
  return page.replace('</head>', `  ${tags.join('\n    ')}\n  </head>`);
}

/** Loads the styles and the font before the code, because the page shows its first paint without code. */
function stylesFirst(page: string): string {
  const styles = page.match(/<link rel="stylesheet"[^>]*>\s*/g) ?? [];
  if (styles.length === 0) throw new Error('index.html has no style sheet');
  return styles
    .reduce((rest, style) => rest.replace(style, ''), page)
    .replace('<script type="module"', () => `${styles.join('')}<script type="module" fetchpriority="low"`)
    .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');
}
