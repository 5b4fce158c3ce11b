import { shortened } from '../../shared/lists/columns.js';

const KEPT = 6;

/** A hash or an id too long to be read: its ends, and all of it for who points at it or asks for it. */
export function Hash({ of }: { of: string }) {
  return (
    <span className="code whitespace-nowrap" title={of}>
      {shortened(of, KEPT)}
    </span>
  );
}
