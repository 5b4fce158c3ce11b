import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import type { Actor } from '../../contracts/events/metadata.js';
import type { GamerId } from '../../contracts/ids.js';
import { words } from '../../contracts/words.js';
import type { FaultReporter } from '../replay/finding.js';

/** The admin, and the operators' powers before the event. */
type Rights = { adminId: GamerId | null; powersOf(gamerId: GamerId): readonly string[] };

/** Checks who caused an event: gamers their own acts, operators within their powers. The matrix's root is the admin. */
export function checkActor(event: LedgerEvent, actor: Actor, rights: Rights, fault: FaultReporter): void {
  const { id, role } = actor;
  const { adminId } = rights;
  if ((role === 'system') !== (id === 'system')) fault(`was caused by ${id} as ${role}`);
  if (role === 'admin' && adminId !== null && id !== adminId) fault(`was caused by ${id}, who is not the admin`);
  const required = requiredActors(event);
  if (!required.some((one) => isRequired(one, actor, rights, 'gamerId' in event.data ? event.data.gamerId : null)))
    fault(`was caused by ${id} as ${role}, and not by ${required.map(nameOf).join(' or ')}`);
}

/** A gamer by id, who may be staff too; or an operator with a power, in place of the admin. */
type RequiredActor = 'admin' | 'system' | { gamer: GamerId } | { power: string };

/** @param gamerId whose money or status the event changes: no operator's own */
function isRequired(who: RequiredActor, { id, role }: Actor, { powersOf }: Rights, gamerId: GamerId | null): boolean {
  if (typeof who === 'string') return role === who;
  if ('power' in who)
    return role === 'admin' || (role === 'operator' && powersOf(id).includes(who.power) && id !== gamerId);
  return id === who.gamer && role !== 'admin' && role !== 'system';
}

function nameOf(who: RequiredActor): string {
  if (typeof who === 'string') return `the ${who}`;
  return 'power' in who ? `anyone with the power ${who.power}` : `the gamer ${who.gamer}`;
}

const MONEY: RequiredActor = { power: 'money' };
const GAME: RequiredActor = { power: 'game' };

/** The actors of events, whatever their data say. The withdrawals' rules also check which of two it is. */
const ACTORS: readonly (readonly [events: string, RequiredActor[]])[] = [
  ['GameStarted GameScheduled', ['system', GAME]],
  ['DepositApproved WithdrawalCompleted PayoutsReleased', ['system', MONEY]],
  ['LiveResumed RoundEnded DepositRecorded InvoiceCredited ProtectionProfileSet HistoryLost PayoutFailed', ['system']],
  ['GameReset TimersChanged ScheduleCancelled', [GAME]],
  ['DepositorStatusSet BalanceAdjusted DepositRejected WithdrawalProcessing PayoutOrdered PayoutSettled', [MONEY]],
];
const ACTORS_BY_TYPE = new Map(
  ACTORS.flatMap(([events, actors]) => words(events).map((type) => [type, actors] as const)),
);

function requiredActors({ type, data }: LedgerEvent): RequiredActor[] {
  switch (type) {
    case 'GamerEnrolled':
      return data.parentId === null ? ['admin'] : [{ gamer: data.gamerId }];
    case 'TokenPurchased':
      return data.source === 'invoice' ? ['system'] : [{ gamer: data.buyerId }];
    // The purchase of the same command has been checked.
    case 'TimeExtended':
      return ['system', { gamer: data.buyerId }];
    case 'WinningsTransferred':
    case 'WithdrawalRequested':
    case 'GamerExcluded':
    case 'LimitsSet':
    case 'LimitsConfirmed':
    case 'ExclusionLifted':
    case 'BalanceReleased':
      return [{ gamer: data.gamerId }];
    case 'WithdrawalReturned':
      return [MONEY, { gamer: data.gamerId }];
    case 'LiveStarted':
      return data.forced ? [GAME] : ['system'];
    default:
      return ACTORS_BY_TYPE.get(type) ?? ['admin'];
  }
}
