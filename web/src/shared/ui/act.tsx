import { type ReactNode, useId } from 'react';

interface ActProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  id?: string | undefined;
  first?: boolean;
}

export function Act({ title, lead, children, id, first = false }: ActProps) {
  const headingId = useId();
  return (
    <section className={`act ${first ? 'border-t-0' : ''}`} aria-labelledby={headingId} id={id} tabIndex={-1}>
      <div className="act-head">
        <h2 id={headingId}>{title}</h2>
        {typeof lead === 'string' ? <p>{lead}</p> : lead}
      </div>
      <div>{children}</div>
    </section>
  );
}
