import { Copy } from 'lucide-react';
import { useId } from 'react';
import { referralUrl } from '../../shared/session/referral-url.js';
import { copyText } from '../../shared/ui/copy.js';
import { ShareButton } from '../../shared/ui/share-button.js';

/** The site's address with the gamer's code. */
export function ReferralLink({ refCode }: { refCode: string }) {
  const id = useId();
  const link = referralUrl(refCode);
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
        <button
          type="button"
          className="btn btn--line"
          aria-label="Copy referral link"
          onClick={() => void copyText(link, 'Your referral link is on the clipboard.')}
        >
          <Copy size={18} aria-hidden="true" />
          Copy
        </button>
      </div>
      <p className="msg" id={`${id}-m`}>
        3 cents for each token a direct referral buys, for as long as you are a depositor.
      </p>
      <div className="actions mt-2">
        <ShareButton
          shared={{
            title: 'Omni Jackpot',
            text: 'A live countdown game: the last buyer before zero takes the whole jackpot.',
            url: link,
          }}
        >
          Share link
        </ShareButton>
      </div>
    </div>
  );
}
