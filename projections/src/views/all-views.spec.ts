import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { getMetadataArgsStorage } from 'typeorm';
import { MATRIX_DEPTH } from '../../../contracts/limits.js';
import { createTable } from '../columns.js';
import { allViews } from './all-views.js';
import { matrixView } from './matrix.view.js';
import type { View } from './view.js';

const hashOf = (ddl: string): string =>
  createHash('sha256').update(ddl.replaceAll(/\s+/g, ' ')).digest('hex').slice(0, 8);

/** Hash of each view's DDL in its newest version. When it changes, raise the view's version: only then is it rebuilt. */
const VERSIONS: Record<string, string> = {
  balances: 'version 2 with the tables 5dc6c739',
  community: 'version 1 with the tables cf0eec14',
  deposits: 'version 4 with the tables 01c37b57',
  'game-board': 'version 3 with the tables 6a051696',
  gamers: 'version 2 with the tables 8768969d',
  journal: 'version 1 with the tables 179f9ba3',
  'late-purchases': 'version 1 with the tables ea9dcfb2',
  'ledger-index': 'version 1 with the tables 37d8f120',
  'log-tiles': 'version 1 with the tables 9cd18b15',
  matrix: 'version 1 with the tables 3601f9b0',
  payments: 'version 3 with the tables 745be008',
  'public-record': 'version 3 with the tables b976d03e',
  'recent-purchases': 'version 1 with the tables cf1c78f8',
  stats: 'version 1 with the tables 2490b393',
  tickets: 'version 4 with the tables ff85115c',
  wallets: 'version 1 with the tables 501db270',
  winners: 'version 1 with the tables 244b7c7d',
  withdrawals: 'version 5 with the tables 709e7bff',
};

it('lists every view of this folder', async () => {
  const files = readdirSync(__dirname).filter((name) => name.endsWith('.view.ts'));
  const modules = await Promise.all(files.map((name) => import(join(__dirname, name)) as Promise<object>));
  const views = modules
    .flatMap((module) => Object.values(module))
    .filter((one) => typeof one === 'object' && 'ddl' in one);
  expect(allViews.map(({ name }) => name).sort()).toEqual((views as View[]).map(({ name }) => name).sort());
});

it('creates the table of each entity that the api reads, with the columns of the entity', () => {
  const ddl = allViews.map((view) => view.ddl).join('\n');
  for (const { target } of getMetadataArgsStorage().tables)
    expect(ddl).toContain(createTable(target as new () => object).slice(0, -1));
});

it.each(allViews.map((view) => [view.name, view] as const))(
  'raises the version of %s when its tables change',
  (name, { version, ddl }) => {
    expect(`version ${version} with the tables ${hashOf(ddl)}`).toBe(VERSIONS[name]);
  },
);

it('raises the version of the matrix when its depth changes, because each row holds its uplines', () => {
  expect({ version: matrixView.version, depth: MATRIX_DEPTH }).toEqual({ version: 1, depth: 7 });
});
