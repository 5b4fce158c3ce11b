import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { Toast } from 'radix-ui';

export interface ToastContent {
  title: string;
  text?: string;
  /** `bad` interrupts a screen reader. */
  tone?: 'plain' | 'time' | 'won' | 'bad';
  link?: { text: string; to: string; search: Record<string, string> };
}

/** The toast that is shown or fades, and whether it is open. */
export type ShownToast = ToastContent & { id: number; open: boolean };

/** Specification §9, toasts. */
const DURATION_MS = 5_000;
const SWIPE_PX = 50;

interface ToastRegionProps {
  shown: ShownToast | null;
  onDismiss: (id: number) => void;
}

/** Shows the toast, one at a time. */
export function ToastRegion({ shown, onDismiss }: ToastRegionProps) {
  return (
    <Toast.Provider swipeDirection="right" swipeThreshold={SWIPE_PX} duration={DURATION_MS} label="Notification">
      {shown && (
        <Toast.Root
          asChild
          key={shown.id}
          type={shown.tone === 'bad' ? 'foreground' : 'background'}
          open={shown.open}
          onOpenChange={(open) => !open && onDismiss(shown.id)}
        >
          {/* A list item may have neither of these roles, so the toast is a div. */}
          <div className={`toast toast--${shown.tone ?? 'plain'}`} role={shown.tone === 'bad' ? 'alert' : 'status'}>
            <Toast.Title className="toast-title">{shown.title}</Toast.Title>
            {shown.text !== undefined && <Toast.Description className="toast-text">{shown.text}</Toast.Description>}
            {shown.link && (
              <Link className="toast-text underline" to={shown.link.to} search={shown.link.search as never}>
                {shown.link.text}
              </Link>
            )}
            <Toast.Close aria-label="Dismiss">
              <X size={18} aria-hidden="true" />
            </Toast.Close>
          </div>
        </Toast.Root>
      )}
      <Toast.Viewport asChild hotkey={['F8']} label="Notifications ({hotkey})">
        <div className="toasts" />
      </Toast.Viewport>
    </Toast.Provider>
  );
}
