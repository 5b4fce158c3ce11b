import { Check, CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { shortened } from '../../shared/columns.js';
import { Button } from '../../shared/ui/controls.js';

/** The result of a check: a tick when it holds, else a red alert. */
export function CheckLine({ holds, children }: { holds: boolean; children: ReactNode }) {
  const Icon = holds ? Check : CircleAlert;
  return (
    <p className={holds ? 'check' : 'check bad'} role={holds ? undefined : 'alert'}>
      <Icon size={18} aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}

/** Both ends of a long hash or id, and all of it as a tooltip. */
export const Hash = ({ of }: { of: string }) => (
  <span className="code whitespace-nowrap" title={of}>
    {shortened(of, 6)}
  </span>
);

interface StepButtonProps {
  text: string;
  /** Says why the button does nothing now; null when it works. */
  why: string | null;
  onPress: () => void;
}

/** Stays focusable when it does nothing, because the auditor may hold a key down until the last step. */
export const StepButton = ({ text, why, onPress }: StepButtonProps) => (
  <Button
    kind="line sm"
    text={text}
    aria-disabled={why !== null}
    title={why ?? undefined}
    onClick={() => why === null && onPress()}
  />
);
