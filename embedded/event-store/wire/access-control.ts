import { createHash, timingSafeEqual } from 'node:crypto';
import { describedStreamOf, isMetadataStream, type StreamAction } from '../core/stream.js';
import type { EventLog } from '../log/event-log.js';
import type { GrpcCall } from './grpc-call.js';
import { GrpcError, Status } from './grpc-status.js';

export const ALL_STREAM = '$all';
const ADMINS = '$admins';
const OPERATORS = '$ops';
/** Role of every user who has signed in. */
const EVERY_USER = '$all';

/** Accounts by login. */
export type UserAccounts = Readonly<Record<string, { password: string; groups: string[] }>>;

/** The user of a call. */
export interface User {
  login: string;
  groups: readonly string[];
}

/**
 * Decides whether a call may use a stream: by the stream's own ACL, as EventStoreDB does. Without an entry there, system
 * streams (`$all` is one) are for administrators, and the other streams are for every user. `$admins` may do everything.
 * Without accounts (that is, without TLS) every call may do everything.
 */
export class AccessControl {
  constructor(
    private readonly log: EventLog,
    private readonly accounts: UserAccounts | undefined,
  ) {}

  /** Returns the call's user, undefined when it names none. Throws for wrong credentials. */
  authenticate({ authorization }: GrpcCall): User | undefined {
    if (this.accounts === undefined || authorization === undefined) return undefined;
    const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization)?.[1] ?? '';
    const [login = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    const account = Object.hasOwn(this.accounts, login) ? this.accounts[login] : undefined;
    const isRight = timingSafeEqual(digest(rest.join(':')), digest(account?.password ?? ''));
    if (account !== undefined && isRight) return { login, groups: account.groups };
    throw new GrpcError(Status.UNAUTHENTICATED, 'The login or the password is wrong.');
  }

  /** Throws PERMISSION_DENIED. */
  async require(user: User | undefined, action: 'read' | 'write' | 'delete', stream: string): Promise<void> {
    if (!(await this.allows(user, action, stream))) throw accessDenied();
  }

  /** Throws PERMISSION_DENIED for a user who may not operate the server. */
  requireOperator(user: User | undefined): void {
    const isOperator = user?.groups.some((group) => group === ADMINS || group === OPERATORS) === true;
    if (this.accounts !== undefined && !isOperator) throw accessDenied();
  }

  async allows(user: User | undefined, action: 'read' | 'write' | 'delete', stream: string): Promise<boolean> {
    if (this.accounts === undefined) return true;
    if (!isMetadataStream(stream)) return this.mayDo(user, action, stream);
    return this.mayDo(user, action === 'read' ? 'metaRead' : 'metaWrite', describedStreamOf(stream));
  }

  private async mayDo(user: User | undefined, action: StreamAction, stream: string): Promise<boolean> {
    if (user === undefined) return false;
    if (user.groups.includes(ADMINS)) return true;
    const { acl } = (await this.log.view(stream)).metadata;
    const roles = acl?.[action] ?? [stream.startsWith('$') ? ADMINS : EVERY_USER];
    return roles.some((role) => role === EVERY_USER || role === user.login || user.groups.includes(role));
  }
}

const accessDenied = () =>
  new GrpcError(Status.PERMISSION_DENIED, 'Access denied.', { exception: 'access-denied' }, 'AccessDenied');

/** Hashed, because the comparison needs equal lengths. */
const digest = (password: string): Buffer => createHash('sha256').update(password, 'utf8').digest();
