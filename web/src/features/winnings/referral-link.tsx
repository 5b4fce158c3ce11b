import { Copy } from 'lucide-react';
import { useId } from 'react';
import { toast } from '../../shared/ui/toasts.js';

/** The site's address with the gamer's code. */
export function ReferralLink({ refCode }: { refCode: string }) {
  const id = useId();
  const link = `${window.location.origin}/?ref=${encodeURIComponent(refCode)}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      toast({ title: 'Copied', text: 'Your referral link is on the clipboard.' });
    } catch {
      toast({ title: 'Copy Failed', text: 'Unable to copy to clipboard. Please try again.', tone: 'bad' });
    }
  };
  return (
    <div className="field">
      <label htmlFor={id}>My Referral Link</label>
      <div className="link">
        <input
          id={id}
          className="input"
          readOnly
          value={link}
          aria-describedby={`${id}-m`}
          onFocus={(event) => event.target.select()}
        />
        <button type="button" className="btn btn--line" aria-label="Copy referral link" onClick={() => void copy()}>
          <Copy size={18} aria-hidden="true" />
          Copy
        </button>
      </div>
      <p className="msg" id={`${id}-m`}>
        3 cents for each token a direct referral buys, for as long as you are a depositor.
      </p>
    </div>
  );
}
