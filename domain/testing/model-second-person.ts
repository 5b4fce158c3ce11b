import type { CommandOf } from '../ledger-commands.js';
import { DAY_MS, periodOf } from './model-calendar.js';

/** The admin, or an operator, who sends a command. */
export interface Person {
  id: string;
  role: 'admin' | 'operator';
}

/** An act that takes two persons above a limit. The same key is the same act. */
interface Act {
  key: string;
  gamer: string | null;
  cents: number;
  command: CommandOf<'AdjustBalance' | 'UpdateWithdrawal'>;
}

export const adjustmentOf = (command: CommandOf<'AdjustBalance'>): Act => ({
  key: `${command.gamerId} by ${command.purchaseCents} and ${command.winningsCents}`,
  gamer: command.gamerId,
  cents: Math.abs(command.purchaseCents) + Math.abs(command.winningsCents),
  command,
});

export const payoutOf = (withdrawalId: string, { gamer, cents }: { gamer: string | null; cents: number }): Act => ({
  ...{ key: withdrawalId, gamer, cents },
  command: { type: 'UpdateWithdrawal', withdrawalId, update: { status: 'completed', adminNotes: null, txid: null } },
});

/** The model's second person: it keeps every act that one person did alone, and adds them up each time. */
export class ModelSecondPerson {
  aboveCents: number | null = 50_000;
  aboveCentsPerDay: number | null = 200_000;
  /** Operators with the power money. */
  readonly operators = new Set<string>();
  requests: (Act & { by: string; at: number })[] = [];
  /** With the day in New York. */
  alone: { by: string; cents: number; day: string }[] = [];

  /** True when the act takes two persons, and its own person requested it before. */
  isRefused(act: Act, { id }: Person, at: number): boolean {
    return this.isNeeded(act, id, at) && this.isRequested(act.key, at, (by) => by === id);
  }

  /** Carries out an act, or records the request for a second person. @param carryOut changes the balances */
  act(act: Act, { id }: Person, at: number, carryOut: () => void): void {
    if (this.isNeeded(act, id, at)) {
      this.end(({ key }) => key === act.key);
      this.requests.push({ ...act, by: id, at });
      return;
    }
    if (!this.isRequested(act.key, at, (by) => by !== id))
      this.alone.push({ by: id, cents: act.cents, day: periodOf('day', at) });
    this.end(({ key }) => key === act.key);
    carryOut();
  }

  private isNeeded({ key, gamer, cents }: Act, id: string, at: number): boolean {
    const others = [...this.operators].filter((one) => one !== gamer).length;
    const isLarge = cents > (this.aboveCents ?? Number.POSITIVE_INFINITY);
    const isMuch =
      this.movedAlone(id, periodOf('day', at)) + cents > (this.aboveCentsPerDay ?? Number.POSITIVE_INFINITY);
    return (isLarge || isMuch) && others > 0 && !this.isRequested(key, at, (by) => by !== id);
  }

  /** True while a request for this act is open, by a person whom `isBy` accepts. */
  private isRequested(key: string, at: number, isBy: (by: string) => boolean): boolean {
    return this.requests.some((one) => one.key === key && at <= one.at + DAY_MS && isBy(one.by));
  }

  movedAlone(id: string, day: string): number {
    const ofDay = this.alone.filter((one) => one.by === id && one.day === day);
    return ofDay.reduce((sum, { cents }) => sum + cents, 0);
  }

  setPower(gamer: string, hasMoney: boolean): void {
    if (hasMoney) this.operators.add(gamer);
    else this.operators.delete(gamer);
    if (!hasMoney) this.end(({ by }) => by === gamer);
  }

  remove(id: string): void {
    this.setPower(id, false);
    this.end(({ gamer }) => gamer === id);
    this.alone = this.alone.filter(({ by }) => by !== id);
  }

  end(isOver: (request: { key: string; gamer: string | null; by: string }) => boolean): void {
    this.requests = this.requests.filter((one) => !isOver(one));
  }
}
