import { useId } from 'react';
import { COINS, CRYPTO_TYPES, type CryptoType } from '../../../../contracts/crypto.js';
import { FieldMessage } from './field.js';

interface CoinPickerProps {
  value: CryptoType | null;
  onChange: (coin: CryptoType) => void;
  error?: string | null;
}

/** The four coins side by side; arrow keys move between them. */
export function CoinPicker({ value, onChange, error }: CoinPickerProps) {
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
              aria-label={`${COINS[coin].name}, ${coin}`}
              onChange={() => onChange(coin)}
            />
            {coin}
          </label>
        ))}
      </div>
      <FieldMessage id={`${id}-m`} error={error} />
    </fieldset>
  );
}
