import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';

/** Something that is there but not for this visitor: blurred, out of reach, and one line saying why. */
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
