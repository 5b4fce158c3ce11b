import { Download } from 'lucide-react';
import { useState } from 'react';
import { reasonOf } from '../../../shared/api/api-error.js';
import { serverNow } from '../../../shared/clock/server-clock.js';
import { counted } from '../../../shared/format/clock-text.js';
import type { Column } from '../../../shared/lists/columns.js';
import { csvFileName, csvOf } from '../../../shared/lists/csv.js';
import { saveFile } from '../../../shared/lists/save-file.js';
import { Field } from '../../../shared/ui/field.js';
import { SelectField } from '../../../shared/ui/select-field.js';
import { toast } from '../../../shared/ui/toasts.js';
import type { Sort } from './listing.js';

interface SearchToolProps {
  label: string;
  search: string;
  onSearch: (search: string) => void;
}

export function SearchTool({ label, search, onSearch }: SearchToolProps) {
  return (
    <Field
      label={label}
      type="search"
      autoComplete="off"
      value={search}
      onChange={(event) => onSearch(event.target.value)}
    />
  );
}

/** On phones the headers that sort are folded away: this stands in for them. */
export function SortTool<Row>({
  columns,
  sort,
  onSort,
}: {
  columns: readonly Column<Row>[];
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
}) {
  const options = columns
    .filter(({ exportOnly }) => !exportOnly)
    .flatMap(({ label, kind }) => {
      const [up, down] =
        kind === 'text' ? ['A to Z', 'Z to A'] : kind === 'cents' ? ['least', 'most'] : ['oldest', 'newest'];
      return [
        { value: `ascending ${label}`, text: `${label}, ${up} first` },
        { value: `descending ${label}`, text: `${label}, ${down} first` },
      ];
    });
  const take = (value: string) => {
    const [direction, ...label] = value.split(' ');
    onSort(direction === 'ascending' || direction === 'descending' ? { by: label.join(' '), direction } : null);
  };
  return (
    <div className="grow md:hidden">
      <SelectField
        label="Sort by"
        value={sort === null ? '' : `${sort.direction} ${sort.by}`}
        options={[{ value: '', text: 'As listed' }, ...options]}
        onChange={take}
      />
    </div>
  );
}

/** The rows listed, all pages of them, as they are searched for and sorted now. */
export function ExportTool<Row>({
  name,
  columns,
  isEmpty,
  rows,
}: {
  name: string;
  columns: readonly Column<Row>[];
  isEmpty: boolean;
  /** Asked for when they are to be saved: not all of them may be here. */
  rows: () => Promise<readonly Row[]>;
}) {
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const all = await rows();
      const fileName = csvFileName(name, serverNow());
      saveFile(fileName, csvOf(columns, all), 'text/csv');
      toast({ title: 'Exported', text: `${counted(all.length, 'row')} in ${fileName}` });
    } catch (error) {
      toast({ title: 'Export Failed', text: reasonOf(error, 'The rows could not be loaded'), tone: 'bad' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <button
      type="button"
      className="btn btn--line"
      aria-label={`Export CSV: ${name}`}
      disabled={isEmpty || isBusy}
      onClick={() => void save()}
    >
      <Download size={18} aria-hidden="true" />
      {isBusy ? 'Exporting…' : 'Export CSV'}
    </button>
  );
}
