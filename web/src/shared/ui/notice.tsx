import { Check, CircleAlert, CircleDashed, Clock } from 'lucide-react';
import type { ReactNode } from 'react';

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
