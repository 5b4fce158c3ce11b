import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import type { Actor, LedgerMetadata } from '../../contracts/events/metadata.js';
import { SYSTEM } from '../../contracts/events/metadata.js';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { schemaOf } from '../../contracts/events/schemas.js';
import { LEDGER_STREAM } from '../../contracts/streams.js';
import { CHAIN_START, chainAfter } from '../../domain/ledger/chain.js';
import { decide } from '../../domain/ledger/decide.js';
import { evolve } from '../../domain/ledger/evolve.js';
import type { LedgerCommand } from '../../domain/ledger/ledger-commands.js';
import { emptyLedger } from '../../domain/ledger/ledger-state.js';
import { directly } from '../../domain/ledger/undo-journal.js';

/** An event, the ledger time it happened at, and the number of its command where a decider produced it. */
export interface Happened {
  event: LedgerEvent;
  at: number;
  command?: number;
  /** Given where one of several persons did it; else `recorded` chooses an actor of the due role. */
  actor?: Actor;
}

export const metadataOf = (index: number, at: number) => ({
  commandId: `c${index}`,
  commandHash: CHAIN_START,
  actor: SYSTEM,
  at,
  schema: 1,
});

const ADMIN: Actor = { id: 'admin', role: 'admin' };

/** The events that the deciders make of these commands, by the admin without another actor. Throws when one is refused. */
export function decided(
  commands: readonly (readonly [at: number, command: LedgerCommand, freshId?: string, actor?: Actor])[],
): Happened[] {
  const state = emptyLedger();
  const happened: Happened[] = [];
  commands.forEach(([at, command, freshId = `id${happened.length}`, other], index) => {
    const actor = other ?? ADMIN;
    const metadata = { ...metadataOf(index, at), actor };
    const context = { at, receivedAtMs: at, actor, freshId };
    const decision = decide(state, command, context);
    if (decision.refusal) throw new Error(`${command.type} is refused: ${decision.refusal.code}`);
    for (const event of decision.events) {
      evolve(state, { revision: happened.length, event, metadata }, directly);
      happened.push({ event, at, command: index, ...(other && { actor: other }) });
    }
  });
  return happened;
}

/** As a log holds it, with correct chains and due actors. A person who can write the log could do the same. */
export function recorded(happened: readonly Happened[]): RecordedLedgerEvent[] {
  const actors = new Actors();
  let command = -1;
  return rechained(
    happened.map((one, revision) => {
      const { event, at } = one;
      const id = `00000000-0000-4000-8000-${String(revision).padStart(12, '0')}`;
      const before = happened[revision - 1];
      if (!before || !areOfOneCommand(before, one)) command += 1;
      const usual = actors.of(event, at);
      const metadata = {
        ...metadataOf(command, at),
        actor: one.actor ?? usual,
        schema: schemaOf(event.type),
        chain: '',
      };
      return { id, stream: LEDGER_STREAM, revision, position: String(revision * 100), event, metadata };
    }),
  );
}

export function rechained(events: readonly RecordedLedgerEvent[]): RecordedLedgerEvent[] {
  let chain = CHAIN_START;
  return events.map((one) => {
    chain = chainAfter(chain, one.id, one.event, one.metadata);
    const metadata: LedgerMetadata = { ...one.metadata, chain };
    return { ...one, metadata };
  });
}

/** By the commands' numbers, or, in a history written by hand, by what usually belongs together. */
function areOfOneCommand({ event: before, at, command }: Happened, { event, command: next }: Happened): boolean {
  if (command !== undefined && next !== undefined) return command === next;
  if (before.type === 'TokenPurchased') return event.type === 'TimeExtended';
  if (before.type === 'StaffStatusSet') return event.type === 'PowersSet';
  return before.type === 'GameStarted' && before.data.pregameEndsAtEpochMs === at && event.type === 'LiveStarted';
}

class Actors {
  private admin = ADMIN;
  private readonly system: Actor = SYSTEM;
  /** Settles withdrawals from the first powers on. */
  private operator: Actor | null = null;
  private isDowntime = false;
  private readonly deposits = new Set<string>();
  private buyer: Actor = this.system;

  of({ type, data }: LedgerEvent, at: number): Actor {
    const gamer = (id: string): Actor => ({ id, role: 'gamer' });
    switch (type) {
      case 'GamerEnrolled':
        if (data.parentId !== null) return gamer(data.gamerId);
        this.admin = { id: data.gamerId, role: 'admin' };
        return this.admin;
      case 'GameStarted': {
        const isBySystem = this.isDowntime && data.pregameEndsAtEpochMs !== at;
        this.isDowntime = false;
        return isBySystem ? this.system : this.admin;
      }
      case 'LiveStarted':
        return data.forced ? this.admin : this.system;
      case 'TokenPurchased':
        this.buyer = data.source === 'invoice' ? this.system : gamer(data.buyerId);
        return this.buyer;
      case 'TimeExtended':
        return this.buyer;
      case 'WithdrawalReturned':
        return this.operator ?? this.admin;
      case 'WithdrawalRequested':
      case 'WinningsTransferred':
      case 'GamerExcluded':
      case 'LimitsSet':
      case 'LimitsConfirmed':
      case 'ExclusionLifted':
      case 'BalanceReleased':
        return gamer(data.gamerId);
      case 'PowersSet':
        if (data.powers.includes('money')) this.operator = { id: data.gamerId, role: 'operator' };
        return this.admin;
      case 'RoundEnded':
        this.isDowntime = true;
        return this.system;
      case 'DepositRecorded':
        this.deposits.add(data.depositId);
        return this.system;
      case 'DepositApproved':
        return this.deposits.has(data.depositId) ? this.admin : this.system;
      case 'LiveResumed':
      case 'ProtectionProfileSet':
      case 'InvoiceCredited':
      case 'HistoryLost':
        return this.system;
      case 'GameReset':
        this.isDowntime = false;
        return this.admin;
      default:
        return this.admin;
    }
  }
}
