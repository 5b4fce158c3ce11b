import { Copy } from 'lucide-react';
import { toast } from '../../../shared/ui/toasts.js';

/** Something long that must not be typed by hand, such as a wallet address. */
export function Copyable({ what, text }: { what: string; text: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: 'Copied', text: `The ${what} is on the clipboard.` });
    } catch {
      toast({ title: 'Copy Failed', text: 'Unable to copy to clipboard. Please try again.', tone: 'bad' });
    }
  };
  return (
    <span className="copyable">
      <span className="code">{text}</span>
      <button type="button" className="iconbtn" aria-label={`Copy the ${what}`} onClick={() => void copy()}>
        <Copy size={18} aria-hidden="true" />
      </button>
    </span>
  );
}
