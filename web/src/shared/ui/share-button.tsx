import { Share } from 'lucide-react';
import { copyText } from './copy.js';

export interface Shared {
  title: string;
  text: string;
  /** Absolute. */
  url: string;
}

/** Hands it to the device's own sharing where there is one; else it goes to the clipboard. */
export async function share(shared: Shared): Promise<void> {
  if (typeof navigator.share !== 'function') return copyShared(shared);
  try {
    await navigator.share(shared);
  } catch (error) {
    // Closing the device's sheet is an answer, not a failure.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyShared(shared);
  }
}

const copyShared = ({ text, url }: Shared) => copyText(`${text} ${url}`, 'Paste it wherever you want to share it.');

export function ShareButton({ shared, children, className }: { shared: Shared; children: string; className?: string }) {
  return (
    <button
      type="button"
      className={className ?? 'btn btn--line btn--sm'}
      onClick={() => {
        void share(shared);
      }}
    >
      <Share size={18} aria-hidden="true" />
      {children}
    </button>
  );
}
