import { type FormEvent, useState } from 'react';
import { COINS, type CryptoType } from '../../../../contracts/crypto.js';
import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import type { CryptoWallets } from '../../../../contracts/http/withdrawals.js';
import { WALLET_ADDRESS_MAX_LENGTH } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { reasonOf } from '../../shared/api/api-error.js';
import { inputFromCents } from '../../shared/format/money-input.js';
import { CoinPicker } from '../../shared/ui/coin-picker.js';
import { Field } from '../../shared/ui/field.js';
import { Loading, Notice } from '../../shared/ui/notice.js';
import { toast } from '../../shared/ui/toasts.js';
import { fieldOfRefusal, isNewWallet, type WithdrawalProblems, withdrawalOf } from './withdrawal-rules.js';
import { useSaveWallet, useWallets, useWithdraw } from './withdrawals.queries.js';

interface WithdrawFormProps {
  gamer: GamerProfile;
  onDone: () => void;
}

/** Waits for the saved wallets, so that no address changes under a typing hand; goes on without them if they fail. */
export function WithdrawForm({ gamer, onDone }: WithdrawFormProps) {
  const { data: wallets, isPending } = useWallets(gamer.id);
  if (isPending) return <Loading label="Loading your saved wallets" rows={6} />;
  return <FormWithWallets gamer={gamer} wallets={wallets ?? {}} onDone={onDone} />;
}

function FormWithWallets({ gamer, wallets, onDone }: WithdrawFormProps & { wallets: CryptoWallets }) {
  const available = gamer.balances.currentWinningsCents;
  const [coin, setCoin] = useState<CryptoType | null>(firstSaved(wallets));
  const [typed, setTyped] = useState<CryptoWallets>({});
  const [amount, setAmount] = useState('');
  const [saves, setSaves] = useState(true);
  const [problems, setProblems] = useState<WithdrawalProblems>({});
  const { withdraw, isPending } = useWithdraw(gamer.id);
  const saveWallet = useSaveWallet(gamer.id);
  const address = coin === null ? '' : (typed[coin] ?? wallets[coin] ?? '');

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const order = withdrawalOf({ coin, address, amount }, available);
    if ('problems' in order) {
      setProblems(order.problems);
      return toast({ title: order.title, text: order.text, tone: 'bad' });
    }
    const { request } = order;
    const { cryptoType, walletAddress } = request;
    try {
      const message = await withdraw(request);
      toast({ title: 'Withdrawal Requested', text: message });
      // Its failure is silent: the withdrawal itself is on its way (specification §8).
      if (saves && isNewWallet(wallets, cryptoType, walletAddress)) saveWallet.mutate({ cryptoType, walletAddress });
      onDone();
    } catch (error) {
      const reason = reasonOf(error, 'Failed to process withdrawal');
      setProblems({ [fieldOfRefusal(reason)]: reason });
      toast({ title: 'Withdrawal Failed', text: reason, tone: 'bad' });
    }
  };

  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <p className="avail">
        <span className="label">Available winnings</span>
        <b className="fig won num">{formatCents(available)}</b>
      </p>
      <fieldset className="grid gap-4 min-w-0" disabled={isPending}>
        <CoinPicker
          value={coin}
          error={problems.coin ?? null}
          onChange={(next) => {
            setCoin(next);
            setProblems({});
          }}
        />
        <Field
          label="Wallet address"
          className="code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={WALLET_ADDRESS_MAX_LENGTH}
          placeholder={coin === null ? 'Choose a coin first' : COINS[coin].addressExample}
          disabled={coin === null}
          value={address}
          hint={addressHint(coin, address, wallets)}
          error={problems.address}
          onChange={(event) => {
            if (coin !== null) setTyped({ ...typed, [coin]: event.target.value });
            setProblems({ ...problems, address: '' });
          }}
        />
        <Field
          label="Amount"
          inputMode="decimal"
          autoComplete="off"
          suffix="USD"
          placeholder="0.00"
          value={amount}
          hint="At least $10.00."
          error={problems.amount}
          onChange={(event) => {
            setAmount(event.target.value);
            setProblems({ ...problems, amount: '' });
          }}
        />
        <div className="actions">
          <button
            type="button"
            className="btn btn--line btn--sm"
            disabled={available === 0}
            onClick={() => setAmount(inputFromCents(available))}
          >
            All of it
          </button>
        </div>
        <label className="switch">
          <input
            type="checkbox"
            role="switch"
            aria-checked={saves}
            checked={saves}
            onChange={(event) => setSaves(event.target.checked)}
          />
          <span>Save this wallet for next time</span>
        </label>
        <Notice tone="time">Withdrawals are processed manually in 24-48 hours and cannot be reversed.</Notice>
        <button type="submit" className="btn btn--act btn--wide">
          {isPending ? 'Requesting…' : coin === null ? 'Withdraw' : `Withdraw in ${coin}`}
        </button>
      </fieldset>
    </form>
  );
}

const firstSaved = (wallets: CryptoWallets): CryptoType | null =>
  (Object.keys(COINS) as CryptoType[]).find((coin) => wallets[coin] !== undefined) ?? null;

function addressHint(coin: CryptoType | null, address: string, wallets: CryptoWallets): string {
  if (coin === null) return 'Where the coins are sent.';
  if (wallets[coin] !== undefined && wallets[coin] === address.trim()) return `Your saved ${coin} wallet.`;
  return `Check it twice: coins sent to a wrong ${coin} address are lost.`;
}
