import { allViews } from './views/all-views.js';
import type { View } from './views/view.js';

/** The views named on a command line; `all` is every one. Throws on a name that is none. */
export function chosenViews(names: readonly string[]): readonly View[] {
  if (names.length === 1 && names[0] === 'all') return allViews;
  const known = allViews.map(({ name }) => name);
  if (names.length === 0) throw new Error(`Name some of ${known.join(', ')}, or all`);
  return names.map((name) => {
    const view = allViews.find((candidate) => candidate.name === name);
    if (!view) throw new Error(`There is no view ${name}; there are ${known.join(', ')}`);
    return view;
  });
}
