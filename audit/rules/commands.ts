import type { LedgerEvent, LedgerEventType } from '../../contracts/events/ledger-events.js';
import type { Actor, LedgerMetadata } from '../../contracts/events/metadata.js';
import type { GamerId } from '../../contracts/ids.js';
import { COMMAND_MEMORY_MS, MAX_REMEMBERED_COMMANDS } from '../../contracts/limits.js';
import { words } from '../../contracts/words.js';
import type { FaultReporter } from '../replay/finding.js';

/**
 * The only effects of several events: a purchase with its extension, a round that is forced live at once, a daily start or its
 * skipping with the plan for the next day, staff who get or lose powers, and a batch of payouts, which may have more than two.
 */
const SECOND_EVENTS: Partial<Record<LedgerEventType, LedgerEventType[]>> = {
  TokenPurchased: ['TimeExtended'],
  GameStarted: ['LiveStarted', 'GameScheduled'],
  GameReset: ['GameScheduled'],
  StaffStatusSet: ['PowersSet'],
  PowersSet: ['StaffStatusSet'],
  PayoutOrdered: ['PayoutOrdered'],
};

type CommandGeneration = { sinceMs: number; commands: Map<string, number> };

/**
 * Checks that a command has one effect: its events follow each other, with one hash, actor and ledger time. Its id has
 * no second effect within 24 hours or half a million commands. Exactly one extension follows every purchase.
 */
export class Commands {
  private last: { type: LedgerEventType; metadata: LedgerMetadata } | null = null;
  private length = 0;
  private newest: CommandGeneration = { sinceMs: 0, commands: new Map() };
  private older: CommandGeneration = this.newest;

  constructor(private readonly fault: FaultReporter) {}

  take({ type }: LedgerEvent, metadata: LedgerMetadata) {
    const { last } = this;
    const isSame =
      last !== null && last.metadata.commandId === metadata.commandId && last.metadata.actor.id === metadata.actor.id;
    this.last = { type, metadata };
    if (isSame) return this.goOn(last, type, metadata);
    this.length = 1;
    this.begin(metadata);
    if (last?.type === 'TokenPurchased') this.fault('follows a purchase that has no extension');
    if (type === 'TimeExtended') this.fault('is of another command than a purchase');
  }

  private goOn(last: NonNullable<Commands['last']>, type: LedgerEventType, metadata: LedgerMetadata): void {
    this.length += 1;
    if ((this.length > 2 && type !== 'PayoutOrdered') || !SECOND_EVENTS[last.type]?.includes(type))
      this.fault(`is a second effect of the command ${metadata.commandId}`);
    if (last.metadata.commandHash !== metadata.commandHash)
      this.fault(`has another hash of the command ${metadata.commandId} than the event before it`);
    if (last.metadata.at !== metadata.at || last.metadata.actor.role !== metadata.actor.role)
      this.fault('has another time or role than the event before it, which is of the same command');
  }

  private begin({ actor, commandId, at: atMs }: LedgerMetadata): void {
    const key = `${actor.id} ${commandId}`;
    const effectAtMs = this.newest.commands.get(key) ?? this.older.commands.get(key);
    if (effectAtMs !== undefined && atMs - effectAtMs <= COMMAND_MEMORY_MS)
      this.fault(`is a second effect of the command ${commandId} of ${actor.id}`);
    const isFull = this.newest.commands.size >= MAX_REMEMBERED_COMMANDS;
    // Older commands than those of the two maps are forgotten by the game, too.
    if (isFull || atMs - this.newest.sinceMs > COMMAND_MEMORY_MS) {
      this.older = this.newest;
      this.newest = { sinceMs: atMs, commands: new Map() };
    }
    this.newest.commands.set(key, atMs);
  }
}

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
