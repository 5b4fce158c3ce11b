import { type FormEvent, useState } from 'react';
import { COINS, CRYPTO_TYPES, type CryptoType } from '../../../../../contracts/crypto.js';
import { WALLET_ADDRESS_MAX_LENGTH } from '../../../../../contracts/limits.js';
import { formatCents } from '../../../../../contracts/money.js';
import { reasonOf } from '../../../shared/api/api-error.js';
import { inputFromCents } from '../../../shared/format/money-input.js';
import { Dialog } from '../../../shared/ui/dialog.js';
import { Field, FieldMessage } from '../../../shared/ui/field.js';
import { toast } from '../../../shared/ui/toasts.js';
import { type ProfitProblem, profitOrderOf } from './profit-rules.js';
import { useWithdrawProfit } from './profits.queries.js';

interface WithdrawProfitDialogProps {
  availableCents: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function WithdrawProfitDialog({ availableCents, open, onOpenChange }: WithdrawProfitDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Request profit withdrawal">
      <WithdrawProfitForm availableCents={availableCents} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function WithdrawProfitForm({ availableCents, onDone }: { availableCents: number; onDone: () => void }) {
  const [coin, setCoin] = useState<CryptoType | null>(null);
  const [address, setAddress] = useState('');
  const [amount, setAmount] = useState('');
  const [problem, setProblem] = useState<ProfitProblem | null>(null);
  const { run, isBusy } = useWithdrawProfit();
  const errorOf = (field: ProfitProblem['field']) => (problem?.field === field ? problem.text : null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const result = profitOrderOf({ coin, address, amount }, availableCents);
    if ('problem' in result) {
      setProblem(result.problem);
      return toast({ title: result.problem.title, text: result.problem.text, tone: 'bad' });
    }
    try {
      await run(result.order);
      toast({
        title: 'Withdrawal Request Created',
        text: `${formatCents(result.order.amountCents)} in ${result.order.cryptoType} is reserved.`,
      });
      onDone();
    } catch (error) {
      toast({
        title: 'Withdrawal Failed',
        text: reasonOf(error, 'Failed to create withdrawal request'),
        tone: 'bad',
      });
    }
  };

  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <p className="flex flex-wrap items-baseline justify-between gap-4">
        <span className="label">Profit available</span>
        <b className="fig num">{formatCents(availableCents)}</b>
      </p>
      <CoinPick
        coin={coin}
        error={errorOf('coin')}
        onChange={(picked) => {
          setCoin(picked);
          setProblem(null);
        }}
      />
      <Field
        label="Wallet address"
        className="code"
        autoComplete="off"
        spellCheck={false}
        maxLength={WALLET_ADDRESS_MAX_LENGTH}
        placeholder={coin === null ? '' : COINS[coin].addressExample}
        value={address}
        error={errorOf('address')}
        onChange={(event) => {
          setAddress(event.target.value);
          setProblem(null);
        }}
      />
      <Field
        label="Amount"
        inputMode="decimal"
        autoComplete="off"
        suffix="USD"
        placeholder="0.00"
        value={amount}
        hint="At least $10.00"
        error={errorOf('amount')}
        onChange={(event) => {
          setAmount(event.target.value);
          setProblem(null);
        }}
      />
      <div className="actions">
        <button
          type="button"
          className="btn btn--line btn--sm"
          disabled={availableCents <= 0}
          onClick={() => setAmount(inputFromCents(availableCents))}
        >
          All of it
        </button>
      </div>
      <p className="note">Withdrawals are processed manually in 24-48 hours and cannot be reversed.</p>
      <button type="submit" className="btn btn--act btn--wide" disabled={isBusy}>
        {isBusy ? 'Requesting…' : coin === null ? 'Request withdrawal' : `Request withdrawal in ${coin}`}
      </button>
    </form>
  );
}

interface CoinPickProps {
  coin: CryptoType | null;
  error: string | null;
  onChange: (coin: CryptoType) => void;
}

function CoinPick({ coin, error, onChange }: CoinPickProps) {
  return (
    <fieldset className="field" aria-describedby={error === null ? undefined : 'profit-coin-m'}>
      <legend className="flabel mb-1.5">Coin</legend>
      <div className="pick">
        {CRYPTO_TYPES.map((cryptoType) => (
          <label key={cryptoType} title={COINS[cryptoType].name}>
            <input
              type="radio"
              name="profit-coin"
              checked={coin === cryptoType}
              onChange={() => onChange(cryptoType)}
            />
            {cryptoType}
          </label>
        ))}
      </div>
      <FieldMessage id="profit-coin-m" error={error} />
    </fieldset>
  );
}
