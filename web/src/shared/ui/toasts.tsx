import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { createStore, useStore } from '../store.js';

/** Specification §9, toasts. */
const DURATION_MS = 5_000;
const REMOVED_AFTER_MS = 1_000_000;

const currentToast = createStore<ShownToast | null>(null);
let lastId = 0;

/** Shows a toast. It replaces the previous one, so there is one at a time. */
export function toast(content: ToastContent): void {
  lastId += 1;
  currentToast.set({ ...content, id: lastId, open: true });
}

export function toastProblem(title: string, text: string): string {
  toast({ title, text, tone: 'bad' });
  return text;
}

function dismiss(id: number): void {
  const dismissed = currentToast.get();
  if (dismissed?.id !== id) return;
  currentToast.set({ ...dismissed, open: false });
  setTimeout(() => {
    if (currentToast.get()?.id === id) currentToast.set(null);
  }, REMOVED_AFTER_MS);
}

/** Closes the toast of a failure, because the next request has an outcome of its own. */
export function closeProblem(): void {
  const shown = currentToast.get();
  if (shown?.tone === 'bad') dismiss(shown.id);
}

/** Copies a text to the clipboard. A toast shows `confirmation`, or that copying failed (specification §8). */
export async function copyText(text: string, confirmation: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ title: 'Copied', text: confirmation });
  } catch {
    toastProblem('Copy Failed', 'Unable to copy to clipboard. Please try again.');
  }
}

export interface ToastContent {
  title: string;
  text?: string;
  /** `bad` interrupts a screen reader. */
  tone?: 'plain' | 'time' | 'bad';
  link?: { text: string; to: string; search: Record<string, string> };
}

type ShownToast = ToastContent & { id: number; open: boolean };

const SWIPE_PX = 50;

/** Not lazy: a toast reports failures, even when the server with its code is unavailable. */
export function Toasts() {
  const shown = useStore(currentToast);
  return (
    <Toast.Provider swipeDirection="right" swipeThreshold={SWIPE_PX} label="Notification">
      {shown && (
        <Toast.Root
          asChild
          key={shown.id}
          type={shown.tone === 'bad' ? 'foreground' : 'background'}
          open={shown.open}
          // This toast says that nothing happened because nobody is logged in, and stays until it is dismissed.
          duration={shown.title === 'Authentication Error' ? Number.POSITIVE_INFINITY : DURATION_MS}
          onOpenChange={(open) => !open && dismiss(shown.id)}
        >
          {/* A list item may have neither of these roles, so the toast is a div. */}
          <div
            ref={keepClear}
            className={`toast toast--${shown.tone ?? 'plain'}`}
            role={shown.tone === 'bad' ? 'alert' : 'status'}
          >
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

/** The ref of a notice at the window's top: the page moves down until the notice covers no control. */
export function keepClear(notice: HTMLElement | null): void {
  // A chunk of its own, because the build limits the first load. If it cannot be loaded, the notice still shows.
  if (notice !== null) import('./keep-clear.js').then(({ scrollClear }) => scrollClear(notice)).catch(() => undefined);
}

const sentence = createStore('');
/** Long enough to be read aloud. Later it may be false, and a screen reader would still find it at the page's end. */
const SENTENCE_MS = 5_000;

export function announce(text: string): void {
  // The same text again must differ in something, or screen readers stay silent.
  const next = text === sentence.get() ? `${text}\u00a0` : text;
  sentence.set(next);
  setTimeout(() => sentence.get() === next && sentence.set(''), SENTENCE_MS);
}

export function Announcer() {
  const text = useStore(sentence);
  return (
    <p className="sr" aria-live="polite" aria-atomic="true" data-testid="announcer">
      {text}
    </p>
  );
}
