import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { parse, parseAllDocuments } from 'yaml';
import { projectRoot, settingsOf, textOf } from './testing/deployment-files.js';

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec?: unknown;
}

const CHART = 'deploy/kubernetes';
const manifests = renderChart();

it('every manifest has the fields of its kind, of the right types, and no others', () => {
  const [first] = manifests;
  const misspelt = { ...first, metadata: { name: 'omni', label: {} } } as Manifest;
  const wrong = { ...first, metadata: { name: 7 } } as unknown as Manifest;
  // The two errors are found, and no other.
  expect(typeErrorsOf([...manifests, misspelt, wrong])).toEqual([
    expect.stringMatching(/label.* does not exist/),
    expect.stringMatching(/'number' is not assignable/),
  ]);
});

it('the ingress leads to the service, and the service and the budgets to pods of the chart', () => {
  const all = JSON.stringify(manifests);
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name);
  expect(deployments).toEqual(['omni-api', 'omni-projections']);
  expect(all).toContain('"service":{"name":"omni-api","port":{"name":"http"}}');
  const labels = new Set([...all.matchAll(/"app":"([\w-]+)"/g)].map(([, app]) => app));
  expect([...labels].sort()).toEqual(deployments);
});

it('runs the same programs as docker-compose.yml, with the settings of deploy/env.example', () => {
  const compose = textOf('docker-compose.yml');
  const scripts = [...JSON.stringify(manifests).matchAll(/dist\/[\w/]+\.js/g)].map(([script]) => script);
  expect(scripts).toHaveLength(2);
  for (const script of scripts) expect(compose).toContain(script.slice('dist/'.length));
  const example = settingsOf(textOf('deploy/env.example'));
  for (const setting of ['DATABASE_URL', 'EVENT_STORE_URL']) expect(example).toContain(setting);
});

interface Container {
  name: string;
  envFrom?: unknown;
  env?: { name: string; valueFrom: { secretKeyRef: { key: string } } }[];
  securityContext: object;
}
interface PodSpec {
  automountServiceAccountToken: boolean;
  securityContext: object;
  containers: Container[];
}

describe('each pod', () => {
  const pods = manifests
    .map(({ spec }) => (spec as { template?: { spec: PodSpec } }).template?.spec)
    .filter((pod) => pod !== undefined);
  const containers = pods.flatMap((pod) => pod.containers);

  it('has no rights, no account of the cluster, and cannot change its image', () => {
    expect(pods).toHaveLength(3);
    for (const pod of pods) {
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    }
    for (const { securityContext } of containers)
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
  });

  it('has only the secrets it needs; the api has all of them', () => {
    const example = settingsOf(textOf('deploy/env.example'));
    const keysOf = ({ env = [] }: Container) => env.map(({ name, valueFrom }) => [name, valueFrom.secretKeyRef.key]);
    expect(containers.filter(({ envFrom }) => envFrom).map(({ name }) => name)).toEqual(['api']);
    const given = Object.fromEntries(containers.map((one) => [one.name, Object.fromEntries(keysOf(one))]));
    expect(given.migrations).toEqual({ DATABASE_URL: 'MIGRATIONS_DATABASE_URL' });
    const ofReader = { DATABASE_URL: 'DATABASE_URL', EVENT_STORE_URL: 'READER_EVENT_STORE_URL' };
    expect(given.projections).toMatchObject(ofReader);
    for (const [, key = ''] of containers.flatMap(keysOf)) expect(example).toContain(key);
  });
});

/** The chart with its default values. Its templates use `{{ .Values.… }}` alone; anything else is an error here. */
function renderChart(): Manifest[] {
  const values = parse(textOf(`${CHART}/values.yaml`));
  return readdirSync(join(projectRoot, CHART, 'templates')).flatMap((file) => {
    const text = textOf(`${CHART}/templates/${file}`).replace(/\{\{ \.Values\.([\w.]+) \}\}/g, (_all, path: string) => {
      const value = path.split('.').reduce((part, key) => part?.[key], values);
      if (value === undefined) throw new Error(`${file}: there is no value ${path}`);
      return String(value);
    });
    if (text.includes('{{')) throw new Error(`${file}: this test renders nothing but values`);
    return parseAllDocuments(text).map((document) => {
      if (document.errors[0]) throw document.errors[0];
      return document.toJS() as Manifest;
    });
  });
}

/** The compiler's errors about the manifests, written as literals of the types that are made from Kubernetes’ published schemas. */
function typeErrorsOf(list: readonly Manifest[]): string[] {
  const lines = list.map((manifest, index) => {
    const { apiVersion, kind } = manifest;
    const path = `kubernetes-types/${apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('.k8s.io', '')}`;
    return `import type { ${kind} as T${index} } from '${path}';\nexport const m${index}: T${index} = ${JSON.stringify(manifest)};`;
  });
  const file = join(projectRoot, 'deploy/manifests-as-literals.ts');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Node10,
    ignoreDeprecations: '6.0',
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (name) => (name === file ? lines.join('\n') : readFile.call(host, name));
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
