import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minVersion, subset } from 'semver';

const root = join(__dirname, '..');
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { engines?: { node?: string } }>;
};
const supported = packages['']?.engines?.node ?? 'none';

it('every installed package supports every Node version that this project names, so an install warns of nothing', () => {
  const unsupported = Object.entries(packages).filter(([, { engines }]) => !subset(supported, engines?.node ?? '*'));
  expect(unsupported.map(([path, { engines }]) => `${path} needs ${engines?.node}`)).toEqual([]);
});

it('the README names the oldest supported version of each line', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const oldest = supported.split('||').map((range) => minVersion(range)?.version.replace(/\.0$/, ''));
  for (const version of oldest) expect(readme).toContain(version);
});
