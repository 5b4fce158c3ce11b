import { Check, CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** What was checked: a tick, or in red what does not hold. */
export function CheckLine({ holds, children }: { holds: boolean; children: ReactNode }) {
  const Icon = holds ? Check : CircleAlert;
  return (
    <p className={holds ? 'check' : 'check bad'} role={holds ? undefined : 'alert'}>
      <Icon size={18} aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}
