import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { COINS, CRYPTO_TYPES, type CryptoType } from '../../../../contracts/crypto.js';
import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type { CryptoWallets, SaveWalletRequest, WithdrawRequest } from '../../../../contracts/http/withdrawals.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import { codeOf, reasonOf, send } from '../../shared/api/api-client.js';
import { useApi } from '../../shared/api/use-api.js';
import { useCommand } from '../../shared/api/use-command.js';
import { gamerQuery } from '../../shared/session.queries.js';
import { Button, Form, useFields } from '../../shared/ui/controls.js';
import { Loading, Notice } from '../../shared/ui/notice.js';
import { AmountField, CoinPicker, WalletAddressField } from '../../shared/ui/payout-fields.js';
import { Switch } from '../../shared/ui/switch.js';
import { toast } from '../../shared/ui/toasts.js';
import { withdrawalField, withdrawalOf } from './withdrawal-rules.js';

interface WithdrawFormProps {
  gamer: GamerProfile;
  onDone: () => void;
}

const walletsKey = (gamerId: GamerId) => ['/api', 'gamer', gamerId, 'crypto-wallets'] as const;

/** Waits for the saved wallets, so that no address changes while the gamer types. Works without them if they fail to load. */
export function WithdrawForm({ gamer, onDone }: WithdrawFormProps) {
  const { data: wallets, isPending } = useApi<CryptoWallets>(walletsKey(gamer.id));
  if (isPending) return <Loading label="Loading your saved wallets" rows={6} />;
  return <FormWithWallets gamer={gamer} wallets={wallets ?? {}} onDone={onDone} />;
}

function FormWithWallets({ gamer, wallets, onDone }: WithdrawFormProps & { wallets: CryptoWallets }) {
  const available = gamer.balances.currentWinningsCents;
  const firstSaved = CRYPTO_TYPES.find((saved) => wallets[saved] !== undefined);
  const { values, problems, bind, change, fail } = useFields({ coin: firstSaved ?? '', address: '', amount: '' });
  const [typed, setTyped] = useState<CryptoWallets>({});
  const [saves, setSaves] = useState(true);
  const { send: withdraw, isBusy: isPending } = useWithdraw(gamer.id);
  const saveWallet = useSaveWallet(gamer.id);
  const coin = values.coin === '' ? null : (values.coin as CryptoType);
  const address = coin === null ? '' : (typed[coin] ?? wallets[coin] ?? '');

  const submit = async () => {
    if (isPending) return;
    const order = withdrawalOf({ ...values, coin, address }, available);
    if ('problems' in order) return fail(order.title, order.problems);
    const { request } = order;
    const { cryptoType, walletAddress } = request;
    try {
      const { message } = await withdraw(request);
      toast({ title: 'Withdrawal Requested', text: message });
      // A failed save is silent, because the withdrawal itself succeeded (specification §8).
      if (saves && wallets[cryptoType] !== walletAddress) saveWallet.mutate({ cryptoType, walletAddress });
      onDone();
    } catch (error) {
      fail('Withdrawal Failed', { [withdrawalField(codeOf(error))]: reasonOf(error, 'Failed to process withdrawal') });
    }
  };

  return (
    <Form onSubmit={submit}>
      <p className="avail">
        <span className="label">Available winnings</span>
        <b className="fig won num">{formatCents(available)}</b>
      </p>
      <CoinPicker value={coin} error={problems.coin} onChange={(next) => change({ coin: next })} />
      <WalletAddressField
        placeholder={coin === null ? 'Choose a coin first' : COINS[coin].addressExample}
        disabled={coin === null}
        hint={addressHint(coin, address, wallets)}
        {...bind('address')}
        value={address}
        onChange={(event) => {
          if (coin !== null) setTyped({ ...typed, [coin]: event.target.value });
          bind('address').onChange(event);
        }}
      />
      <AmountField availableCents={available} hint="At least $10.00." {...bind('amount')} />
      <Switch isOn={saves} onChange={setSaves}>
        Save this wallet for next time
      </Switch>
      <Notice tone="time" text="Withdrawals are processed manually in 24-48 hours and cannot be reversed." />
      <Button
        type="submit"
        kind="act wide"
        text={coin === null ? 'Withdraw' : `Withdraw in ${coin}`}
        busy={isPending && 'Requesting…'}
      />
    </Form>
  );
}

function addressHint(coin: CryptoType | null, address: string, wallets: CryptoWallets): string {
  if (coin === null) return 'Where the coins are sent.';
  if (wallets[coin] !== undefined && wallets[coin] === address.trim()) return `Your saved ${coin} wallet.`;
  return `Check it carefully: coins sent to a wrong ${coin} address are lost.`;
}

/** Requests a withdrawal, then refetches the winnings, the list and the public counters. */
function useWithdraw(gamerId: GamerId) {
  const client = useQueryClient();
  return useCommand<WithdrawRequest, MessageResponse>('POST', `/api/gamer/${gamerId}/withdraw`, {
    onSuccess: () => {
      // This key is also the beginning of the list's key, so both are refetched.
      void client.invalidateQueries({ queryKey: gamerQuery(gamerId).queryKey });
      void client.invalidateQueries({ queryKey: ['/api', 'stats'] });
    },
  });
}

function useSaveWallet(gamerId: GamerId) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wallet: SaveWalletRequest) => send<void>('POST', `/api/gamer/${gamerId}/crypto-wallets`, wallet),
    onSuccess: (_, { cryptoType, walletAddress }) => {
      client.setQueryData<CryptoWallets>(walletsKey(gamerId), (wallets) => ({
        ...wallets,
        [cryptoType]: walletAddress,
      }));
    },
  });
}
