import { createStore, useStore } from '../store.js';
import { type ShownToast, type ToastContent, ToastRegion } from './toast-region.js';

/** Specification §9, toasts. */
const REMOVED_AFTER_MS = 1_000_000;

const currentToast = createStore<ShownToast | null>(null);
let lastId = 0;

/** Shows a toast. It replaces the previous one, so there is one at a time. */
export function toast(content: ToastContent): void {
  lastId += 1;
  currentToast.set({ ...content, id: lastId, open: true });
}

/** Shows a failure as a toast and returns its text. */
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

/** The region of toasts. Not lazy: a toast reports failures, also when the server with its code is unavailable. */
export function Toasts() {
  return <ToastRegion shown={useStore(currentToast)} onDismiss={dismiss} />;
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
