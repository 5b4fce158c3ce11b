import { Lock } from 'lucide-react';
import { type ReactNode, useId } from 'react';

interface ActProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  id?: string | undefined;
  first?: boolean;
}

/** A section of the page, set like an act in a printed programme: a heading and content between rules. */
export function Act({ title, lead, children, id, first = false }: ActProps) {
  const headingId = useId();
  return (
    <section className={`act ${first ? 'border-t-0' : ''}`} aria-labelledby={headingId} id={id} tabIndex={-1}>
      <div className="act-head">
        <h2 id={headingId}>{title}</h2>
        {lead}
      </div>
      <div>{children}</div>
    </section>
  );
}

/** Content that this visitor may not use: blurred, inert, and with one line that says why. */
export function Locked({ why, children }: { why: string; children: ReactNode }) {
  return (
    <div className="blurred">
      <div inert aria-hidden="true">
        {children}
      </div>
      <p>
        <Lock size={18} aria-hidden="true" />
        <span>{why}</span>
      </p>
    </div>
  );
}
