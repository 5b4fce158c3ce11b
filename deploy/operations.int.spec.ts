/* docs/operations.md: its commands, run as written, and the alerts and panels of deploy/observe. */
import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { ReadCheckpoint } from '../api/src/http/read-checkpoint.queries.js';
import { WholeApplication } from '../api/test/whole-application.js';
import { projectRoot, textOf } from './testing/deployment-files.js';
import { describeWith } from './testing/describe-with.js';

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string };
}
const rules = parse(textOf('deploy/observe/alerts.yaml')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
) as Rule[];
const panels = JSON.parse(textOf('deploy/observe/dashboard.json')).panels as {
  title: string;
  targets: { expr: string }[];
}[];
const expressions = [
  ...rules.map(({ alert, expr }) => ({ where: `alert ${alert}`, expr })),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: `panel ${title}`, expr }))),
];

/** Series that Prometheus adds itself. */
const BY_PROMETHEUS = ['up'];

const page = textOf('docs/operations.md');

/** The page's commands that this test can run: the others need an engine, a cluster or a change of the folder. */
const runnable = [...page.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)]
  .flatMap(([, block = '']) => block.split('\n').map((line) => line.trim()))
  .filter((line) => line !== '' && !/^(docker|kubectl|helm|cp|sh deploy\/pin-images.sh)\b/.test(line));

const application = WholeApplication.forTests();
const { visitor: admin } = application.adminForTests();
const gamer = application.gamerForTests('operated', 30);

const buy = () => gamer.visitor.post('/api/buy-from-balance', { quantity: 1, userId: gamer.id });
beforeAll(async () => {
  await admin.post('/api/admin/game/start-live');
  expect((await buy()).status).toBe(200);
});

it('every alert and panel asks for metrics and labels that a running node gives', async () => {
  await application.socket();
  await buy();
  // A view has a series only while it is rebuilt.
  jest.spyOn(application.api.app.get(ReadCheckpoint), 'behindByView').mockReturnValue([['journal', 1]]);
  const { body } = await application.visitor().get<string>('/api/metrics');

  const given = seriesOf(body);
  for (const { where, expr } of expressions) {
    for (const { metric, labels } of selectorsOf(expr).filter(({ metric }) => !BY_PROMETHEUS.includes(metric)))
      expect([where, metric, [...(given.get(metric) ?? ['no such metric'])]]).toEqual([
        where,
        metric,
        expect.arrayContaining(labels.length === 0 ? ['job'] : labels),
      ]);
  }
  expect(sampleOf(body, 'ledger_sum_cents')).toBe(0);
  expect(sampleOf(body, 'live_sockets')).toBe(1);
  expect(sampleOf(body, 'ledger_verified_revision')).toBe(-1);
  expect(sampleOf(body, 'game_live_seconds_left')).toBeGreaterThan(0);
  expect(sampleOf(body, 'ledger_commands_total{type="BuyTokens",result="insufficient-balance"}')).toBe(1);
  expect(sampleOf(body, 'ledger_append_duration_seconds_count{result="done"}')).toBeGreaterThan(0);
});

it('every expression is PromQL', () => {
  for (const { where, expr } of expressions) {
    const errors: string[] = [];
    parser.parse(expr).iterate({
      enter: ({ type, from }) => {
        if (type.isError) errors.push(`${where} at ${from}`);
      },
    });
    expect(errors).toEqual([]);
  }
});

describeWith('promtool', 'prometheus')('Prometheus itself', () => {
  it('accepts the alert rules', () => {
    execFileSync('promtool', ['check', 'rules', join(projectRoot, 'deploy/observe/alerts.yaml')], { stdio: 'pipe' });
  });
});

it('the page says for every alert what to do', () => {
  expect(rules.map(({ alert }) => alert).filter((alert) => !page.includes(`\`${alert}\``))).toEqual([]);
});

it('the page has commands that can be run here', () => {
  expect(runnable.length).toBeGreaterThanOrEqual(4);
});

it.each(runnable)('`%s` works as written, while the application runs', async (line) => {
  const { databaseUrl: DATABASE_URL, eventStoreUrl: EVENT_STORE_URL } = application.stores;
  // The command must not inherit Jest's environment, such as NODE_ENV.
  const { PATH = '' } = process.env;
  const env = { PATH, DATABASE_URL, EVENT_STORE_URL };
  const { stdout } = await promisify(execFile)('sh', ['-euc', line], { cwd: projectRoot, env });
  expect(stdout).not.toBe('');
});

/** Labels by the name of the series, in Prometheus’ text format. */
function seriesOf(text: string): Map<string, Set<string>> {
  const series = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = series.get(name) ?? new Set(['instance', 'job']);
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    series.set(name, known);
  }
  return series;
}

function sampleOf(text: string, series: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
}

/** The metrics of an expression, with the labels by which it selects them. */
function selectorsOf(expr: string): { metric: string; labels: string[] }[] {
  const selectors: { metric: string; labels: string[] }[] = [];
  parser.parse(expr).iterate({
    enter: ({ name, node }) => {
      if (name !== 'VectorSelector') return;
      const identifier = node.getChild('Identifier');
      const text = expr.slice(node.from, node.to);
      const metric = identifier === null ? text : expr.slice(identifier.from, identifier.to);
      const labels = [...text.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
      selectors.push({ metric, labels });
    },
  });
  return selectors;
}
