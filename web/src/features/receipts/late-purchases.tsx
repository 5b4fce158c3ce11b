import type { LatePurchasesResponse } from '../../../../contracts/http/purchases.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { parseSignedRefusal } from '../../../../contracts/transparency/signed-refusal.js';
import { useApi } from '../../shared/api/use-api.js';
import { dateTimeText } from '../../shared/format.js';
import { ledgerMemory } from '../../shared/ledger/ledger-memory.js';
import { useMyId } from '../../shared/session.queries.js';
import { useStore } from '../../shared/store.js';
import { Button } from '../../shared/ui/controls.js';
import { refusalName } from './check-refusal.js';

/** Signed refusals by command id: those that this browser keeps, and those of the account. @param gamerId another's, for staff */
export function useRefusals(gamerId?: GamerId): ReadonlyMap<string, string> {
  const { refusals } = useStore(ledgerMemory);
  const path =
    gamerId === undefined
      ? (['/api', 'purchases', 'late'] as const)
      : (['/api', 'admin', 'gamers', gamerId, 'purchases'] as const);
  const { data } = useApi<LatePurchasesResponse>(path, { enabled: useMyId() !== '' });
  const all = [...(data?.signedRefusals ?? []), ...refusals];
  return new Map(all.map((text) => [parseSignedRefusal(text).late.commandId, text]));
}

interface Props {
  refusals: ReadonlyMap<string, string>;
  onChoose: (commandId: string) => void;
}

export function LatePurchases({ refusals, onChoose }: Props) {
  if (refusals.size === 0) return null;
  return (
    <ul className="rows receipts">
      {[...refusals].map(([commandId, text]) => {
        const { late } = parseSignedRefusal(text);
        const [name, when] = [refusalName(late), dateTimeText(late.receivedAtEpochMs)];
        return (
          <li key={commandId}>
            <span>
              <b>{name}</b>
              <span className="t14 dim">{when}, refused</span>
            </span>
            <Button
              kind="line sm"
              text="Check"
              aria-label={`Check ${name} of ${when}`}
              onClick={() => onChoose(commandId)}
            />
          </li>
        );
      })}
    </ul>
  );
}
