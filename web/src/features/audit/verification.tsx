import { Check, CircleAlert, CircleDashed } from 'lucide-react';
import type { AuditVerdict } from '../../../../contracts/http/audit.js';
import { reasonOf } from '../../shared/api/api-client.js';
import { useServerNow } from '../../shared/clock.js';
import { numberText } from '../../shared/format.js';
import { Button } from '../../shared/ui/controls.js';
import { LoadFailure } from '../../shared/ui/notice.js';
import { toastProblem } from '../../shared/ui/toasts.js';
import { useVerification, useVerify } from './audit.queries.js';
import { describeVerification } from './verification-description.js';

const icons = { plain: CircleDashed, good: Check, bad: CircleAlert };

/** The result of the last verification, which replays the whole log, and a button that starts another one. */
export function Verification() {
  const { data, isPending, refetch } = useVerification();
  const verify = useVerify();
  const now = useServerNow();
  if (isPending) return <p className="verify">Loading the last verification …</p>;
  if (data === undefined) return <LoadFailure text="The last verification could not be loaded" onRetry={refetch} />;
  const { tone, headline, details, button } = describeVerification(data, now);
  const Icon = icons[tone];
  const start = () =>
    verify.mutate(undefined, {
      onError: (error) => toastProblem('Not Verified', reasonOf(error, 'The verification could not be started')),
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
      {button !== null && <Button className="linkish" text={button} disabled={verify.isPending} onClick={start} />}
      {data.state === 'done' && data.verdict && <Findings {...data.verdict} />}
    </section>
  );
}

function Findings({ findings, findingCount }: AuditVerdict) {
  if (findings.length === 0) return null;
  return (
    <div className="findings">
      <ol>
        {findings.map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a verification's findings never change
          <li key={index}>{finding}</li>
        ))}
      </ol>
      {findingCount > findings.length && (
        <p>
          The first {findings.length} of {numberText(findingCount)}.
        </p>
      )}
    </div>
  );
}
