import { useEffect, useState } from 'react';
import { createStore, useStore } from '../store.js';
import type { ShownToast, ToastContent, ToastRegion } from './toast-region.js';

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

/** By then a slow phone has shown the page. */
const LOADED_AFTER_MS = 2_000;

/** The region of toasts. Its code is lazy: it loads when the page has been shown, or with the first toast. */
export function Toasts() {
  const shown = useStore(currentToast);
  const [Region, setRegion] = useState<typeof ToastRegion | null>(null);
  useEffect(() => {
    if (Region !== null) return;
    const load = async () => {
      // After a failure the next toast tries again.
      const region = await import('./toast-region.js').catch(() => null);
      if (region) setRegion(() => region.ToastRegion);
    };
    const timer = setTimeout(load, shown === null ? LOADED_AFTER_MS : 0);
    return () => clearTimeout(timer);
  }, [Region, shown]);
  return Region && <Region shown={shown} onDismiss={dismiss} />;
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
