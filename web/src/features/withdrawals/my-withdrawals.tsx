import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { COINS, CRYPTO_TYPES, type CryptoType } from '../../../../contracts/crypto.js';
import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import * as http from '../../../../contracts/http/withdrawals.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { MIN_WITHDRAWAL_CENTS } from '../../../../contracts/limits.js';
import { codeOf, reasonOf, useApi, useCommand } from '../../shared/api/api-client.js';
import { shortened } from '../../shared/files.js';
import { dateTimeText, formatCents } from '../../shared/format.js';
import { useMyId } from '../../shared/session.queries.js';
import { ConfirmDialog } from '../../shared/ui/admin-parts.js';
import { Button, Form, Submit, Switch, useFields } from '../../shared/ui/controls.js';
import { Notice } from '../../shared/ui/notice.js';
import { AmountField, CoinPicker, WalletAddressField } from '../../shared/ui/payout-fields.js';
import { Loading, QueryResult } from '../../shared/ui/query-result.js';
import { toast } from '../../shared/ui/toasts.js';
import { isSaved, STATUSES, statusText, withdrawalField, withdrawalOf } from './withdrawal-rules.js';
import './withdrawals.css';
import { focusAtFirst } from '../../shared/ui/go-to.js';

export const MyWithdrawals = () => (
  <div className="withdrawals">
    <h3>My Withdrawals</h3>
    <p className="t14 dim times-note">Times are New York's.</p>
    <WithdrawalRows />
  </div>
);

function WithdrawalRows() {
  const query = useApi<http.Withdrawal[]>(['/api', 'gamer', useMyId(), 'withdrawals']);
  return (
    <QueryResult query={query} noun="your withdrawals" rows={2}>
      {(withdrawals) =>
        withdrawals.length === 0 ? (
          <p className="empty">No withdrawals yet. Your withdrawals and their status will be listed here.</p>
        ) : (
          <ul className="rows">
            {withdrawals.map((withdrawal) => (
              <WithdrawalRow key={withdrawal.id} withdrawal={withdrawal} />
            ))}
          </ul>
        )
      }
    </QueryResult>
  );
}

function WithdrawalRow({ withdrawal }: { withdrawal: http.Withdrawal }) {
  const { amountCents, cryptoType, walletAddress, status, createdAt, processedAt, adminNotes, txid } = withdrawal;
  const statusName = statusText(withdrawal);
  return (
    <li className="withdrawal">
      <b className={`num ${status === 'completed' ? 'won' : ''}`}>{formatCents(amountCents)}</b>
      <span className={withdrawal.isCancelled ? 'chip' : STATUSES[status].chip}>{statusName}</span>
      <p className="t14 dim">
        {cryptoType} to{' '}
        <span className="code" title={walletAddress}>
          {shortened(walletAddress)}
        </span>
        , requested {dateTimeText(createdAt)}
        {processedAt !== null && <span>{`, ${statusName.toLowerCase()} ${dateTimeText(processedAt)}`}</span>}
        {status === 'returned' && <span>. The money is back in your winnings</span>}
      </p>
      {status === 'pending' && <CancelWithdrawal {...withdrawal} />}
      {txid !== null && (
        <p className="t14 dim">
          Transaction <span className="code">{txid}</span>
        </p>
      )}
      {adminNotes !== null && adminNotes !== '' && (
        <p className="t14">
          <span className="dim">Note from the admin: </span>
          <span>{adminNotes}</span>
        </p>
      )}
    </li>
  );
}

function CancelWithdrawal({ id, amountCents }: http.Withdrawal) {
  const myId = useMyId();
  const path = `/api/gamer/${myId}/withdrawals/${id}/cancel`;
  const withdrawal = `the withdrawal of ${formatCents(amountCents)}`;
  const [isAsking, setIsAsking] = useState(false);
  const { run } = useCommand<object>('POST', path, { failureTitle: 'Not Cancelled' });
  return (
    <div className="withdrawal-cancel">
      <p className="t14">Processed manually in 24-48 hours. Cancel it if it was not you, or if the address is wrong.</p>
      <Button kind="line sm" text="Cancel" of={withdrawal} onClick={() => setIsAsking(true)} />
      {isAsking && (
        <ConfirmDialog
          title={`Cancel ${withdrawal}?`}
          description="Nothing is sent, and the money goes back to your winnings."
          labels={{ cancel: 'Keep it', confirm: 'Cancel it', busy: 'Cancelling…' }}
          tone="act"
          onConfirm={() => run({}, 'Withdrawal Cancelled')}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}

interface WithdrawFormProps {
  gamer: GamerProfile;
  onDone: () => void;
}

const walletsKey = (gamerId: GamerId) => ['/api', 'gamer', gamerId, 'crypto-wallets'] as const;

/** Waits for the saved wallets, so that no address changes while the gamer types. Works without them if they fail to load. */
export function WithdrawForm({ gamer, onDone }: WithdrawFormProps) {
  const { data: wallets, isPending } = useApi<http.CryptoWallets>(walletsKey(gamer.id));
  if (isPending) return <Loading label="Loading your saved wallets" rows={6} />;
  return <FormWithWallets gamer={gamer} wallets={wallets ?? {}} onDone={onDone} />;
}

function FormWithWallets({ gamer, wallets, onDone }: WithdrawFormProps & { wallets: http.CryptoWallets }) {
  const available = gamer.balances.currentWinningsCents;
  const firstSaved = CRYPTO_TYPES.find((saved) => wallets[saved] !== undefined);
  const { values, problems, bind, change, fail } = useFields({
    coin: firstSaved ?? '',
    address: firstSaved ? (wallets[firstSaved] ?? '') : '',
    amount: '',
  });
  const [savesWallet, setSavesWallet] = useState(true);
  const [toConfirm, setToConfirm] = useState<http.WithdrawRequest | null>(null);
  const path = `/api/gamer/${gamer.id}/withdraw`;
  const { send: withdraw } = useCommand<http.WithdrawRequest, MessageResponse>('POST', path, {
    reloads: [['/api', 'stats']],
  });
  const client = useQueryClient();
  const { send: saveWallet } = useCommand<http.SaveWalletRequest>('POST', `/api/gamer/${gamer.id}/crypto-wallets`, {
    // Updates the cache at once: the tables may not have the wallet yet.
    onSuccess: (_, { cryptoType, walletAddress }) =>
      client.setQueryData<http.CryptoWallets>(walletsKey(gamer.id), (saved) => ({
        ...saved,
        [cryptoType]: walletAddress,
      })),
  });
  const coin = values.coin === '' ? null : (values.coin as CryptoType);
  const ask = () => {
    const parsed = withdrawalOf({ ...values, coin }, available);
    if ('problems' in parsed) return fail(parsed.title, parsed.problems);
    change({});
    setToConfirm(parsed.request);
  };
  const submit = async (request: http.WithdrawRequest) => {
    const { cryptoType, walletAddress } = request;
    try {
      const { message } = await withdraw(request);
      toast({ title: 'Withdrawal Requested', text: message });
      // A failed save is silent, because the withdrawal itself succeeded (specification §8). The next form begins with the wallet.
      if (savesWallet && !isSaved(cryptoType, walletAddress, wallets))
        await saveWallet({ cryptoType, walletAddress }).catch(() => undefined);
      onDone();
    } catch (error) {
      setToConfirm(null);
      fail('Withdrawal Failed', { [withdrawalField(codeOf(error))]: reasonOf(error, 'Failed to process withdrawal') });
    }
  };
  const addressHint = (chosen: CryptoType) => {
    if (isSaved(chosen, values.address.trim(), wallets)) return `Your saved ${chosen} wallet.`;
    return `Check it carefully: coins sent to a wrong ${chosen} address are lost.`;
  };
  if (toConfirm !== null)
    return (
      <Form onSubmit={() => submit(toConfirm)}>
        <p>
          <b>{`Withdraw ${formatCents(toConfirm.amountCents)} in ${toConfirm.cryptoType}`}</b> to this address?
        </p>
        <p className="code">{toConfirm.walletAddress}</p>
        <Notice
          tone="time"
          title="Withdrawals are processed manually in 24-48 hours and cannot be reversed."
          text="You can cancel it until its processing begins."
        />
        <div className="actions">
          {/* The safe button has the first focus. */}
          <Button ref={focusAtFirst} text="Back" onClick={() => setToConfirm(null)} />
          <Submit kind="act" text={`Withdraw ${formatCents(toConfirm.amountCents)}`} busy="Requesting…" />
        </div>
      </Form>
    );
  return (
    <Form onSubmit={ask}>
      <CoinPicker
        value={coin}
        error={problems.coin}
        onChange={(next) => change({ coin: next, address: wallets[next] ?? '' })}
      />
      <WalletAddressField
        placeholder={coin === null ? 'Choose a coin first' : COINS[coin].addressExample}
        disabled={coin === null}
        hint={coin === null ? 'Where the coins are sent.' : addressHint(coin)}
        {...bind('address')}
      />
      <AmountField
        availableCents={available}
        hint={`At least ${formatCents(MIN_WITHDRAWAL_CENTS)}.`}
        {...bind('amount')}
      />
      <Switch isOn={savesWallet} onChange={setSavesWallet}>
        Save this wallet for next time
      </Switch>
      <Button type="submit" kind="act wide" text={coin === null ? 'Withdraw' : `Withdraw in ${coin}`} />
    </Form>
  );
}
