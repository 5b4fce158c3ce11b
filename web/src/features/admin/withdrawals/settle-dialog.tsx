import { type FormEvent, useState } from 'react';
import type { ProfitWithdrawal, UpdateWithdrawalRequest } from '../../../../../contracts/http/withdrawals.js';
import { WALLET_ADDRESS_MAX_LENGTH } from '../../../../../contracts/limits.js';
import { refusalText } from '../../../../../contracts/messages.js';
import { formatCents } from '../../../../../contracts/money.js';
import { reasonOf } from '../../../shared/api/api-error.js';
import { momentText } from '../../../shared/format/time-text.js';
import { Dialog } from '../../../shared/ui/dialog.js';
import { Field } from '../../../shared/ui/field.js';
import { SelectField } from '../../../shared/ui/select-field.js';
import { toast } from '../../../shared/ui/toasts.js';
import { Copyable } from '../fields/copyable.js';
import { NotesField } from '../fields/notes-field.js';
import {
  type NewStatus,
  nextStatuses,
  settlementAction,
  settlementText,
  statusNames,
  updateBody,
} from './settlement.js';

interface SettleDialogProps {
  /** Null closes it. */
  withdrawal: ProfitWithdrawal | null;
  /** Whose it is; null when it is profit. */
  gamerTag: string | null;
  onClose: () => void;
  onUpdate: (withdrawal: ProfitWithdrawal, update: UpdateWithdrawalRequest) => Promise<unknown>;
  isBusy: boolean;
}

/** Settles a withdrawal of a gamer's or of profit, and says what that does to the money first. */
export function SettleDialog({ withdrawal, gamerTag, onClose, onUpdate, isBusy }: SettleDialogProps) {
  return (
    <Dialog
      open={withdrawal !== null}
      onOpenChange={(open) => !open && !isBusy && onClose()}
      title={gamerTag === null ? 'Update profit withdrawal' : `Update ${gamerTag}’s withdrawal`}
    >
      {withdrawal && (
        <SettleForm
          key={withdrawal.id}
          withdrawal={withdrawal}
          gamerTag={gamerTag}
          isBusy={isBusy}
          onDone={onClose}
          onUpdate={(update) => onUpdate(withdrawal, update)}
        />
      )}
    </Dialog>
  );
}

interface SettleFormProps {
  withdrawal: ProfitWithdrawal;
  gamerTag: string | null;
  isBusy: boolean;
  onDone: () => void;
  onUpdate: (update: UpdateWithdrawalRequest) => Promise<unknown>;
}

function SettleForm({ withdrawal, gamerTag, isBusy, onDone, onUpdate }: SettleFormProps) {
  const payout = { ...withdrawal, gamerTag };
  const choices = nextStatuses(payout);
  const [status, setStatus] = useState<NewStatus | null>(null);
  const [notes, setNotes] = useState(withdrawal.adminNotes ?? '');
  const [txid, setTxid] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (status === null) {
      const text = refusalText({ code: 'invalid-withdrawal-status' });
      setProblem(text);
      return toast({ title: 'Invalid Form', text, tone: 'bad' });
    }
    try {
      await onUpdate(updateBody(status, notes, txid));
      toast({
        title: 'Withdrawal Updated',
        text: `${formatCents(withdrawal.amountCents)}: ${statusNames[status].toLowerCase()}.`,
      });
      onDone();
    } catch (error) {
      const reason = reasonOf(error, 'Failed to update withdrawal');
      setProblem(reason);
      toast({ title: 'Update Failed', text: reason, tone: 'bad' });
    }
  };
  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <WithdrawalSummary withdrawal={withdrawal} />
      <SelectField
        label="New status"
        value={status ?? ''}
        options={[
          { value: '', text: 'Choose a status' },
          ...choices.map((choice) => ({ value: choice, text: statusNames[choice] })),
        ]}
        error={problem}
        disabled={isBusy}
        onChange={(value) => {
          setStatus(choices.find((choice) => choice === value) ?? null);
          setProblem(null);
        }}
      />
      {status === 'completed' && (
        <Field
          label="Transaction id"
          className="code"
          autoComplete="off"
          spellCheck={false}
          maxLength={WALLET_ADDRESS_MAX_LENGTH}
          hint="Optional. Where the coins can be looked up."
          value={txid}
          onChange={(event) => setTxid(event.target.value)}
        />
      )}
      <NotesField
        label={gamerTag === null ? 'Notes, kept in the ledger' : `Notes, shown to ${gamerTag}`}
        value={notes}
        onChange={setNotes}
      />
      <p className={status === null ? 'sr' : 'note'} aria-live="polite">
        {status !== null && settlementText(status, payout)}
      </p>
      <button type="submit" className="btn btn--act btn--wide" disabled={isBusy}>
        {isBusy ? 'Updating…' : settlementAction(status, payout)}
      </button>
    </form>
  );
}

function WithdrawalSummary({ withdrawal }: { withdrawal: ProfitWithdrawal }) {
  return (
    <>
      <dl className="sum num">
        <div className="total">
          <dt>Amount</dt>
          <dd>
            {formatCents(withdrawal.amountCents)} in {withdrawal.cryptoType}
          </dd>
        </div>
        <div>
          <dt>Requested</dt>
          <dd>{momentText(withdrawal.createdAt)}</dd>
        </div>
        <div>
          <dt>Status</dt>
          <dd>{statusNames[withdrawal.status]}</dd>
        </div>
      </dl>
      <div className="field">
        <span className="flabel">Wallet address</span>
        <Copyable what="wallet address" text={withdrawal.walletAddress} />
      </div>
    </>
  );
}
