import { type ReactNode, useId } from 'react';

/** A section of the page, set as in a printed programme: a heading and its matter, ruled apart. */
export function Act({
  title,
  lead,
  children,
  id,
  first = false,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  id?: string;
  first?: boolean;
}) {
  const headingId = useId();
  return (
    <section
      className={`act ${first ? 'border-t-0' : ''}`}
      aria-labelledby={headingId}
      {...(id === undefined ? {} : { id })}
    >
      <div className="act-head">
        <h2 id={headingId}>{title}</h2>
        {lead}
      </div>
      <div>{children}</div>
    </section>
  );
}
