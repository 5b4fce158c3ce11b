import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { useSyncExternalStore } from 'react';

export interface ToastContent {
  title: string;
  text?: string;
  /** `bad` interrupts a screen reader. */
  tone?: 'plain' | 'time' | 'won' | 'bad';
}

/** Specification §9, toasts. */
const SHOWN_MS = 5_000;
const SWIPE_PX = 50;
const REMOVED_AFTER_MS = 1_000_000;

interface Shown extends ToastContent {
  id: number;
  open: boolean;
}

let shown: Shown | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: Shown | null): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** One at a time: a new toast takes the place of the one before. */
export function toast(content: ToastContent): void {
  lastId += 1;
  set({ ...content, id: lastId, open: true });
}

function dismiss(id: number): void {
  if (shown?.id !== id) return;
  set({ ...shown, open: false });
  setTimeout(() => {
    if (shown?.id === id) set(null);
  }, REMOVED_AFTER_MS);
}

export function Toasts() {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
  return (
    <Toast.Provider swipeDirection="right" swipeThreshold={SWIPE_PX} duration={SHOWN_MS} label="Notification">
      {current && (
        <Toast.Root
          asChild
          key={current.id}
          type={current.tone === 'bad' ? 'foreground' : 'background'}
          open={current.open}
          onOpenChange={(open) => !open && dismiss(current.id)}
        >
          {/* Neither may be the role of a list's item. */}
          <div className={`toast toast--${current.tone ?? 'plain'}`} role={current.tone === 'bad' ? 'alert' : 'status'}>
            <Toast.Title className="toast-title">{current.title}</Toast.Title>
            {current.text !== undefined && <Toast.Description className="toast-text">{current.text}</Toast.Description>}
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
