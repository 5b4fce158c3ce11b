import { Check, CircleAlert, CircleDashed } from 'lucide-react';
import { reasonOf } from '../../../shared/api/api-error.js';
import { useServerNow } from '../../../shared/clock/use-server-now.js';
import { LoadFailure } from '../../../shared/ui/notice.js';
import { toast } from '../../../shared/ui/toasts.js';
import { useVerification, useVerify } from '../audit.queries.js';
import { verificationWords } from './verification-words.js';

const ICONS = { plain: CircleDashed, good: Check, bad: CircleAlert };

/** What the auditor's own replay of the whole log came to, and the button that starts another one. */
export function VerifyStrip() {
  const { data, isPending, refetch } = useVerification();
  const verify = useVerify();
  const now = useServerNow();
  if (isPending) return <p className="verify">Asking for the last verification …</p>;
  if (data === undefined)
    return <LoadFailure text="The last verification could not be loaded" onRetry={() => void refetch()} />;
  const { tone, headline, details, button } = verificationWords(data, now);
  const Icon = ICONS[tone];
  const start = () =>
    verify.mutate(undefined, {
      onError: (error) =>
        toast({ title: 'Not Verified', text: reasonOf(error, 'The verification could not be started'), tone: 'bad' }),
    });
  return (
    <section className="verify" aria-label="Verification">
      <p className="verify-said" role="status">
        <b className={tone === 'bad' ? 'bad' : undefined}>
          <Icon size={18} aria-hidden="true" />
          {headline}
        </b>
        {details.map((detail) => (
          <span key={detail}>{detail}</span>
        ))}
      </p>
      {button !== null && (
        <button type="button" className="linkish" disabled={verify.isPending} onClick={start}>
          {button}
        </button>
      )}
      <Findings
        findings={data.state === 'done' ? (data.verdict?.findings ?? []) : []}
        of={data.verdict?.findingCount ?? 0}
      />
    </section>
  );
}

function Findings({ findings, of }: { findings: readonly string[]; of: number }) {
  if (findings.length === 0) return null;
  return (
    <div className="findings">
      <ol>
        {findings.map((finding, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the findings of a verification never change
          <li key={place}>{finding}</li>
        ))}
      </ol>
      {of > findings.length && (
        <p>
          The first {findings.length} of {of.toLocaleString('en-US')}.
        </p>
      )}
    </div>
  );
}
