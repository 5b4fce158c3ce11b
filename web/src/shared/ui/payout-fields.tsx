import { type KeyboardEvent, useId } from 'react';
import { COINS, CRYPTO_TYPES, type CryptoType } from '../../../../contracts/crypto.js';
import { WALLET_ADDRESS_MAX_LENGTH } from '../../../../contracts/limits.js';
import { formatCents, inputFromCents } from '../format.js';
import { Button, Field, FieldMessage, type FieldProps } from './controls.js';

interface CoinPickerProps {
  value: CryptoType | null;
  onChange: (coin: CryptoType) => void;
  noteOf?: ((coin: CryptoType) => string) | undefined;
  error?: string | null | undefined;
}

export function CoinPicker({ value, onChange, noteOf, error }: CoinPickerProps) {
  const id = useId();
  return (
    <fieldset className="field" aria-describedby={error ? `${id}-m` : undefined}>
      <legend className="pick-label">Coin</legend>
      <div className="pick">
        {CRYPTO_TYPES.map((coin) => (
          <label key={coin} title={COINS[coin].name}>
            <input
              type="radio"
              name={id}
              value={coin}
              checked={coin === value}
              aria-label={`${COINS[coin].name}, ${coin}${noteOf ? `, ${noteOf(coin)}` : ''}`}
              onChange={() => onChange(coin)}
            />
            {coin}
            {noteOf && <small className="num">{noteOf(coin)}</small>}
          </label>
        ))}
      </div>
      <FieldMessage id={`${id}-m`} error={error} />
    </fieldset>
  );
}

/** Two lines, because on a phone one line hides half of a long address, which the gamer must check. */
export const WalletAddressField = (field: Omit<FieldProps, 'label'>) => (
  <Field
    label="Wallet address"
    className="code wallet-address"
    rows={2}
    autoComplete="off"
    onKeyDown={submitOnEnter}
    autoCapitalize="none"
    spellCheck={false}
    maxLength={WALLET_ADDRESS_MAX_LENGTH}
    {...field}
  />
);

/** An address has one line: Enter submits the form, as in any other field. */
function submitOnEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  if (!event.repeat) event.currentTarget.form?.requestSubmit();
}

interface AmountFieldProps {
  value: string;
  onChange: (text: string) => void;
  hint?: string;
  error: string | null | undefined;
  availableCents: number;
}

export const AmountField = ({ availableCents, hint = '', ...field }: AmountFieldProps) => (
  <Field
    label="Amount in USD"
    inputMode="decimal"
    placeholder="0.00"
    hint={`${formatCents(availableCents)} available. ${hint}`}
    suffix={
      <Button
        kind="text sm"
        text="All of it"
        disabled={availableCents <= 0}
        onClick={() => field.onChange(inputFromCents(availableCents))}
      />
    }
    {...field}
  />
);
