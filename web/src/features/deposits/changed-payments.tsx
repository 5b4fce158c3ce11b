import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChangedPayment } from '../../../../contracts/http/deposits.js';
import type { AdminGamersResponse } from '../../../../contracts/http/gamers.js';
import { get } from '../../shared/api/api-client.js';
import { changedPaymentsKey, gamersKey } from '../../shared/lists/admin.queries.js';
import {
  cents,
  coinColumn,
  dateTime,
  GamerName,
  type TableColumn,
  TwoLines,
  text,
} from '../../shared/lists/data-table.js';
import { type NewestRows, newestRows, POLLED_EVERY_MS, useNewestRows } from '../../shared/lists/list-queries.js';
import { NewestTable } from '../../shared/lists/list-table.js';
import { Copyable } from '../../shared/ui/admin-parts.js';
import { Button } from '../../shared/ui/controls.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { Notice } from '../../shared/ui/notice.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { EditGamer } from '../gamers/edit-gamer.js';
import { canBeAdjusted, describeCredit, describeOutcome, describePurpose } from './deposit-descriptions.js';

const columns: TableColumn<ChangedPayment>[] = [
  dateTime('Changed', (row) => row.changedAt),
  text('Payment ID', (row) => row.paymentId, {
    cell: ({ paymentId }) => <Copyable what={`payment id ${paymentId}`} text={paymentId} />,
  }),
  text('Gamer', (row) => row.gamerTag, {
    cell: ({ gamerTag, purpose }) => (
      <TwoLines
        first={<GamerName gamerTag={gamerTag} />}
        second={purpose === 'deposit' ? 'for a deposit' : 'for tokens'}
      />
    ),
  }),
  text('Meant for', (row) => describePurpose(row.purpose), { exportOnly: true }),
  cents('Credited', (row) => row.creditedCents, {
    cell: (row) => <TwoLines first={describeCredit(row)} second={describeOutcome(row.outcome)} />,
  }),
  text('Outcome', (row) => describeOutcome(row.outcome), { exportOnly: true }),
  text('Since then', (row) => row.change, { className: 'said' }),
  { ...coinColumn, exportOnly: true },
];

export const useChangedPayments = () => useNewestRows<ChangedPayment>(changedPaymentsKey);

/** Payments that the gateway changed after we settled them, such as refunds. Token invoices are listed here only. */
export function ChangedPayments({ list }: { list: NewestRows<ChangedPayment> }) {
  const [adjusting, setAdjusting] = useState<{ gamerTag: string; paymentId: string } | null>(null);
  const actions = ({ gamerTag, paymentId, outcome }: ChangedPayment) => {
    if (gamerTag === null || !canBeAdjusted(outcome)) return null;
    const label = `Adjust ${gamerTag} for payment ${paymentId}`;
    return (
      <Button kind="line sm" text="Adjust" aria-label={label} onClick={() => setAdjusting({ gamerTag, paymentId })} />
    );
  };
  return (
    <div className="grid gap-4">
      {list.query.data !== undefined && list.query.data.rows.length > 0 && (
        <p className="t14 dim max-w-[44rem]">
          A refund, or money that came later, moves no balance by itself. Settle it by adjusting the gamer’s balance,
          with the payment’s id as the reason; what still waits is decided under Pending. Payments stay listed here,
          settled or not.
        </p>
      )}
      <NewestTable
        list={list}
        name="Payments changed"
        what="changed payments"
        columns={columns}
        empty="Payments that changed after they were settled, such as refunds, will be listed here."
        actions={actions}
      />
      {adjusting && <AdjustDialog {...adjusting} onClose={() => setAdjusting(null)} />}
    </div>
  );
}

function AdjustDialog({ gamerTag, paymentId, onClose }: { gamerTag: string; paymentId: string; onClose: () => void }) {
  const query = useQuery({
    queryKey: [...gamersKey, 'named', gamerTag] as const,
    queryFn: async ({ signal }) => {
      const { rows } = await newestRows(
        async (page, pageSize) =>
          (await get<AdminGamersResponse>([...gamersKey, { q: gamerTag, page, pageSize }], signal)).gamers,
      );
      return rows.find((gamer) => gamer.gamerTag === gamerTag) ?? null;
    },
    refetchInterval: POLLED_EVERY_MS,
  });
  return (
    <Dialog wide onClose={onClose} title={`Edit ${gamerTag}`}>
      <QueryResult query={query} what="gamer">
        {(gamer) =>
          gamer === null ? (
            <Notice
              tone="bad"
              title={`No gamer is called ${gamerTag} any more`}
              text="They changed their GamerTag or were deleted."
            />
          ) : (
            <EditGamer key={gamer.id} gamer={gamer} reason={`Payment ${paymentId}`} onGone={onClose} />
          )
        }
      </QueryResult>
    </Dialog>
  );
}
