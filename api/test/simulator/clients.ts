import { type Actor, SYSTEM } from '../../../contracts/events/metadata.js';
import type { LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import { actorOf } from '../../../domain/testing/actors.js';
import type { ApiNode, ArrivalEnd } from './api-node.js';
import type { World } from './world.js';

/** One request about a command. Times are true, but `receivedAtMs` is by the node's clock. */
export interface Attempt {
  sentAtMs: number;
  workMs: number;
  /** Null when the request never reached a node. */
  receivedAtMs: number | null;
  /** How it ended on the node; null while unknown, and for ever when the node crashed. */
  ended: ArrivalEnd | null;
  endedAtMs: number | null;
  /** Time at which its sender got it; null without a response. */
  answeredAtMs: number | null;
}

export interface SentCommand {
  command: LedgerCommand;
  actor: Actor;
  commandId: string;
  attempts: Attempt[];
  hasResponse: boolean;
}

const UNKNOWN = { receivedAtMs: null, ended: null, endedAtMs: null, answeredAtMs: null };
const CLIENT_TIMEOUT_MS = 6_500;

/** Gamers, an admin and an operator: they send each command to any node, again with the same id until they know its outcome. */
export class Clients {
  readonly sent: SentCommand[] = [];

  constructor(
    private readonly world: World,
    private readonly nodes: () => readonly ApiNode[],
  ) {}

  send(command: LedgerCommand, actor = actorOf(command)): Promise<void> {
    const sent: SentCommand = { command, actor, commandId: `c${this.sent.length}`, attempts: [], hasResponse: false };
    this.sent.push(sent);
    this.world.note(`${sent.commandId} by ${actor.id} ${JSON.stringify(command)}`);
    if (this.world.injects('sentTwice')) void this.attempt(sent);
    return this.untilResponse(sent);
  }

  private async untilResponse(sent: SentCommand): Promise<void> {
    while (!(await this.attempt(sent))) await this.world.time.sleep(50 + this.world.upTo(900), null);
    sent.hasResponse = true;
  }

  /** True when the sender knows the command's outcome. */
  private async attempt(sent: SentCommand): Promise<boolean> {
    const { world } = this;
    const { time } = world;
    const node = world.pick(this.nodes());
    const workMs = world.injects('requestSlow') ? world.upTo(1_500, 2) : world.upTo(4);
    const attempt: Attempt = { sentAtMs: time.now(), workMs, ...UNKNOWN };
    sent.attempts.push(attempt);
    await time.sleep(1 + world.upTo(10), null);
    if (!node?.isReady) return false;
    const response = node.run(() => this.receive(node, sent, attempt));
    await Promise.race([response, time.sleep(CLIENT_TIMEOUT_MS, null)]);
    const { ended } = attempt;
    await time.sleep(1 + world.upTo(10), null);
    if (ended === null || world.injects('responseLost')) return false;
    attempt.answeredAtMs = time.now();
    return !isUnknown(ended);
  }

  private async receive(node: ApiNode, sent: SentCommand, attempt: Attempt): Promise<void> {
    const { command, actor, commandId } = sent;
    const arrival = node.receive(command, { actor, commandId }, attempt.workMs);
    attempt.receivedAtMs = arrival.receivedAtMs;
    attempt.ended = await arrival.ended;
    attempt.endedAtMs = this.world.time.now();
    this.world.note(`${commandId} at ${node.name}: ${textOf(attempt.ended)}`);
  }
}

const isUnknown = (ended: ArrivalEnd): boolean =>
  'unavailable' in ended || ('code' in ended && (ended.code === 'clock-untrusted' || ended.code === 'unavailable'));

function textOf(ended: ArrivalEnd): string {
  if ('done' in ended) return `ledger@${ended.done.revision}`;
  return 'code' in ended ? ended.code : (Object.values(ended)[0] as string);
}

/** Commands without events are of the system, or change nothing. */
export const mayChangeNothing = (command: LedgerCommand): boolean =>
  actorOf(command) === SYSTEM || command.type === 'ChangeTimers' || command.type === 'SetStaffStatus';
