import type { PaymentInReview } from '../../../../contracts/http/payments.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import { useApi } from '../../shared/api/use-api.js';
import { LoadFailure, Notice } from '../../shared/ui/notice.js';

/** A rejection sends no live message, because its event does not name the gamer. */
const POLLED_EVERY_MS = 30_000;

/** The gamer's payments that arrived and wait for the admin, so that their money is not lost from sight. Often none. */
export function PaymentsInReview({ gamerId }: { gamerId: GamerId }) {
  // Live messages about the gamer's money refetch this key, because it begins with the profile's key.
  const { data, isError, refetch } = useApi<PaymentInReview[]>(['/api', 'gamer', gamerId, 'payments-in-review'], {
    refetchInterval: ({ state }) => (state.data?.length ? POLLED_EVERY_MS : false),
  });
  if (data === undefined && isError)
    return <LoadFailure text="Your payments under review could not be loaded" onRetry={refetch} />;
  if (data === undefined || data.length === 0) return null;
  return (
    <ul className="col-span-full grid gap-3" aria-label="Payments under review">
      {data.map(({ paymentId, amountCents, cryptoType, message }) => (
        <li key={paymentId}>
          <Notice
            tone="time"
            title={`Payment under review: ${formatCents(amountCents)} in ${cryptoType}`}
            text={`It is not in your purchase balance yet. ${message}`}
          />
        </li>
      ))}
    </ul>
  );
}
