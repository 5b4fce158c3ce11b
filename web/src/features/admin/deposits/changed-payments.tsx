import { useState } from 'react';
import { Listed } from '../../../shared/ui/listed.js';
import { Copyable } from '../fields/copyable.js';
import { EditNamedGamer } from '../gamers/edit-gamer-dialog.js';
import type { ShownColumn } from '../lists/data-table.js';
import { ListTable } from '../lists/list-table.js';
import { becameText, canBeAdjusted, creditedText, purposeText } from './deposit-words.js';
import type { ChangedPaymentRow, useChangedPayments } from './deposits.queries.js';
import { GamerName } from './gamer-name.js';

const columns: ShownColumn<ChangedPaymentRow>[] = [
  { label: 'Changed', kind: 'moment', value: (row) => row.changedAt },
  {
    label: 'Payment ID',
    kind: 'text',
    value: (row) => row.paymentId,
    cell: ({ paymentId }) => <Copyable what={`payment id ${paymentId}`} text={paymentId} />,
  },
  { label: 'Gamer', kind: 'text', value: (row) => row.gamerTag, cell: (row) => <Gamer payment={row} /> },
  { label: 'Meant for', kind: 'text', value: (row) => purposeText(row.purpose), exportOnly: true },
  {
    label: 'Credited',
    kind: 'cents',
    value: (row) => row.creditedCents,
    cell: (row) => <Credited payment={row} />,
  },
  { label: 'What became of it', kind: 'text', value: (row) => becameText(row.outcome), exportOnly: true },
  { label: 'Since then', kind: 'text', className: 'said', value: (row) => row.change },
  { label: 'Coin', kind: 'text', value: (row) => row.cryptoType, exportOnly: true },
];

// Two lines a cell leave a tablet room for the button; one element, for a folded row sets its parts apart.
const Gamer = ({ payment: { gamerTag, purpose } }: { payment: ChangedPaymentRow }) => (
  <span>
    <GamerName gamerTag={gamerTag} />
    <br />
    <span className="dim t12">for {purpose === 'deposit' ? 'a deposit' : 'tokens'}</span>
  </span>
);

const Credited = ({ payment }: { payment: ChangedPaymentRow }) => (
  <span>
    {creditedText(payment)}
    <br />
    <span className="dim t12">{becameText(payment.outcome)}</span>
  </span>
);

/** Payments of which the gateway says something else since they were acted on: token invoices have no other list. */
export function ChangedPayments({ query, older }: ReturnType<typeof useChangedPayments>) {
  const [adjusting, setAdjusting] = useState<{ gamerTag: string; paymentId: string } | null>(null);
  return (
    <>
      <Listed query={query} what="changed payments">
        {({ rows }) => (
          <div className="grid gap-4">
            {rows.length > 0 && (
              <p className="t14 dim max-w-[44rem]">
                A refund, or money that came later, moves no balance by itself. Settle it by adjusting the gamer’s
                balance, with the payment’s id as the reason; what still waits is decided under Pending. Payments stay
                listed here, settled or not.
              </p>
            )}
            <ListTable
              name="Payments changed"
              columns={columns}
              rows={rows}
              empty="Payments that were refunded, or got more money, after we acted on them will be listed here."
              searchLabel="Search changed payments"
              older={older}
              actions={({ gamerTag, paymentId, outcome }) =>
                gamerTag !== null &&
                canBeAdjusted(outcome) && (
                  <button
                    type="button"
                    className="btn btn--line btn--sm"
                    aria-label={`Adjust ${gamerTag} for payment ${paymentId}`}
                    onClick={() => setAdjusting({ gamerTag, paymentId })}
                  >
                    Adjust
                  </button>
                )
              }
            />
          </div>
        )}
      </Listed>
      {adjusting && (
        <EditNamedGamer
          gamerTag={adjusting.gamerTag}
          reason={`Payment ${adjusting.paymentId}`}
          onClose={() => setAdjusting(null)}
        />
      )}
    </>
  );
}
