import { Share } from 'lucide-react';
import { Button } from './controls.js';
import { copyText } from './toasts.js';

interface Shared {
  title: string;
  text: string;
  url: string;
}

/** Opens the device's sharing sheet where there is one; else copies text and address to the clipboard. */
async function share(shared: Shared): Promise<void> {
  if (typeof navigator.share !== 'function') return copyShared(shared);
  try {
    await navigator.share(shared);
  } catch (error) {
    // AbortError means that the gamer closed the sheet, which is no failure.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyShared(shared);
  }
}

const copyShared = ({ text, url }: Shared) => copyText(`${text} ${url}`, 'Paste it wherever you want to share it.');

export function ShareButton({ shared, text, className }: { shared: Shared; text: string; className?: string }) {
  const style = className === undefined ? {} : { className };
  return <Button kind="line sm" icon={Share} text={text} {...style} onClick={() => void share(shared)} />;
}
