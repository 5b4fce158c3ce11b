interface TableHeadProps {
  columns: readonly string[];
  /** How many of the last columns are right-aligned, such as amounts. */
  right?: number;
  className?: string;
}

export const TableHead = ({ columns, right = 0, className }: TableHeadProps) => (
  <thead className={className}>
    <tr>
      {columns.map((column, index) => (
        <th key={column} scope="col" className={index >= columns.length - right ? 'r' : undefined}>
          {column}
        </th>
      ))}
    </tr>
  </thead>
);
