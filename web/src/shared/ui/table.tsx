import type { ReactNode } from 'react';

/** Properties of a scrolling region. The keyboard must reach it even when it holds no control (WCAG 2.1.1). */
export const scrollable = (label: string) => ({ role: 'region', tabIndex: 0, 'aria-label': label });

interface TableProps {
  caption: string;
  columns: readonly string[];
  /** How many of the last columns are right-aligned, such as amounts. */
  right?: number;
  className?: string;
  headClass?: string;
  foot?: ReactNode;
  children: ReactNode;
}

export const Table = ({ caption, columns, right = 0, children, ...props }: TableProps) => (
  <table className={props.className ?? 'tbl tbl--brief'}>
    <caption className="sr">{caption}</caption>
    <thead className={props.headClass}>
      <tr>
        {columns.map((column, index) => (
          <th key={column} scope="col" className={index >= columns.length - right ? 'r' : undefined}>
            {column}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
    {props.foot && <tfoot>{props.foot}</tfoot>}
  </table>
);
