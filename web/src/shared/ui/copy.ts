import { toast } from './toasts.js';

/** Puts a text on the clipboard and says so, or that it could not (specification §8). */
export async function copyText(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ title: 'Copied', text: said });
  } catch {
    toast({ title: 'Copy Failed', text: 'Unable to copy to clipboard. Please try again.', tone: 'bad' });
  }
}
