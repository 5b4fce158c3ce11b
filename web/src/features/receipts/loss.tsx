import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { LostHistory } from '../../../../contracts/http/losses.js';
import { counted, dateTimeText, numberText } from '../../shared/format.js';
import type { KeptReceipt } from '../../shared/ledger/ledger-memory.js';

export const LOSS_TITLE = 'A part of the ledger was lost';

export const purchaseText = ({ quantity, roundId }: KeptReceipt): string =>
  `${counted(quantity, 'token')} in round ${roundId}`;

/** What was lost, who accepted it, and why. @param link to the event that says so; the public record when absent */
export const LossText = ({ loss, link }: { loss: LostHistory; link?: ReactNode }) => (
  <>
    What happened between {dateTimeText(loss.lastKeptAtEpochMs)} and {dateTimeText(loss.atEpochMs)} is lost.{' '}
    {loss.acceptedBy} accepted it: <q className="break-words">{loss.reason}</q>{' '}
    {link ?? (
      <Link className="underline" to="/record">
        Event {numberText(loss.number)} of the ledger says so
      </Link>
    )}
  </>
);

/** The purchases that a loss took. */
export const LostReceipts = ({ receipts }: { receipts: readonly KeptReceipt[] }) =>
  receipts.length === 0 ? (
    <p>No purchase that this browser remembers was lost.</p>
  ) : (
    <div>
      <h3>{`Lost: ${counted(receipts.length, 'purchase')} that this browser remembers`}</h3>
      <ul>
        {receipts.map((receipt) => (
          <li key={receipt.purchaseId}>{`${purchaseText(receipt)}, ${dateTimeText(receipt.receivedAtEpochMs)}`}</li>
        ))}
      </ul>
    </div>
  );
