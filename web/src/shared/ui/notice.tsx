import { Check, CircleAlert, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { oneTo } from '../format/one-to.js';

const looks = {
  plain: { className: 'note', Icon: Check },
  time: { className: 'note note--time', Icon: Clock },
  bad: { className: 'note note--bad', Icon: CircleAlert },
} as const;

/** A rule at the left, an icon, a sentence or two. `urgent` interrupts a screen reader. */
export function Notice({
  tone,
  title,
  children,
  urgent = false,
}: {
  tone: keyof typeof looks;
  title?: string;
  children?: ReactNode;
  urgent?: boolean;
}) {
  const { className, Icon } = looks[tone];
  return (
    <div className={className} role={urgent ? 'alert' : undefined}>
      <Icon size={18} aria-hidden="true" />
      <span>
        {title !== undefined && <b>{title}</b>}
        {title !== undefined && children ? <br /> : null}
        {children}
      </span>
    </div>
  );
}

/** A list or a figure that could not be had, and the way on. */
export function LoadFailure({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div className="grid justify-items-start gap-4 py-4">
      <Notice tone="bad" title={text} urgent />
      <button type="button" className="btn btn--line btn--sm" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

/** Still bars of the height of what will stand here. */
export function Loading({ label, rows = 3 }: { label: string; rows?: number }) {
  const widths = ['w-[70%]', 'w-[52%]', 'w-[63%]'];
  return (
    <div role="status" aria-label={label}>
      {oneTo(rows).map((row) => (
        <div key={row} className="flex min-h-13 items-center">
          <div className={`skel ${widths[row % widths.length]}`} />
        </div>
      ))}
    </div>
  );
}
