import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.mjs';

/** Where each column of the table in docs/tour.md looks, and which names there belong to all features. */
const PLACES = {
  'contracts/http': ['headers'],
  domain: ['ledger', 'testing', 'README'],
  'api/src/features': [],
  'projections/src/views': ['all-views', 'view', 'tables', 'erased', 'entities'],
  'web/src/features': ['admin'],
};

/** The rows of the table in docs/tour.md: a feature's name, and for each place whether the feature stands there. */
function readTable() {
  const lines = readFileSync(join(root, 'docs/tour.md'), 'utf8').split('\n');
  const cells = (line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', ''));
  const start = lines.findIndex((line) => line.startsWith('| Feature |'));
  const [, ...places] = cells(lines[start] ?? '');
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  const rows = lines.slice(start + 2, end === -1 ? undefined : end).map(cells);
  return rows.map(([feature, ...marks]) => ({ feature, places: places.filter((_, index) => marks[index] === '✓') }));
}

/** @returns {string[]} a sentence for each name that the table lacks, and for each mark of the table without a file */
export function findUnlistedFeatures() {
  const table = readTable();
  const names = table.map(({ feature }) => feature).sort((a, b) => b.length - a.length);
  return Object.entries(PLACES).flatMap(([place, shared]) => {
    const found = new Set();
    const findings = [];
    for (const entry of readdirSync(join(root, place))) {
      const stem = entry.split('.')[0];
      const feature = names.find((name) => stem === name || stem.startsWith(`${name}-`));
      if (feature !== undefined) found.add(feature);
      else if (!shared.includes(stem))
        findings.push(`${place}/${entry}: its name begins with no feature of docs/tour.md`);
    }
    for (const { feature, places } of table) {
      if (places.includes(place) && !found.has(feature))
        findings.push(`docs/tour.md: ${place} has nothing of "${feature}"`);
      if (!places.includes(place) && found.has(feature))
        findings.push(`docs/tour.md: "${feature}" stands in ${place} too`);
    }
    return findings;
  });
}
