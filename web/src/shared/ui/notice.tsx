import { Check, CircleAlert, CircleDashed, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { range } from '../format.js';
import { Button } from './controls.js';

/** Icons by tone, which is also the class `note--…` in styles/notices.css. */
const icons = { plain: Check, missing: CircleDashed, time: Clock, bad: CircleAlert };

interface NoticeProps {
  tone: keyof typeof icons;
  title?: string;
  text?: ReactNode;
  urgent?: boolean;
}

export function Notice({ tone, title, text, urgent = false }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div className={`note note--${tone}`} role={urgent ? 'alert' : undefined}>
      <Icon size={18} aria-hidden="true" />
      <span>
        {title !== undefined && <b>{title}</b>}
        {title !== undefined && text ? <br /> : null}
        {text && <span>{text}</span>}
      </span>
    </div>
  );
}

export const LoadFailure = ({ text, onRetry }: { text: string; onRetry: () => unknown }) => (
  <div className="grid justify-items-start gap-4 py-4">
    <Notice tone="bad" title={text} urgent />
    <Button kind="line sm" text="Try again" onClick={() => void onRetry()} />
  </div>
);

export function Loading({ label, rows = 3 }: { label: string; rows?: number }) {
  const widths = ['w-[70%]', 'w-[52%]', 'w-[63%]'];
  return (
    <div role="status" aria-label={label}>
      {range(1, rows).map((row) => (
        <div key={row} className="flex min-h-13 items-center">
          <div className={`skel ${widths[row % widths.length]}`} />
        </div>
      ))}
    </div>
  );
}

/** Properties of a scrolling region. The keyboard must reach it even when it holds no control (WCAG 2.1.1). */
export const scrollable = (label: string) => ({ role: 'region', tabIndex: 0, 'aria-label': label });
