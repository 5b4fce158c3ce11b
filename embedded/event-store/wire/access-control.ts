import { createHash, timingSafeEqual } from 'node:crypto';
import { mayDo, type StreamAction, type User } from '../core/access.js';
import { NO_METADATA } from '../core/stream-metadata.js';
import { describedStreamOf, isMetadataStream } from '../core/stream-state.js';
import type { EventLog } from '../log/event-log.js';
import type { GrpcCall } from './grpc-call.js';
import { GrpcError, Status } from './grpc-status.js';

export const ALL_STREAM = '$all';

export interface UserAccount {
  password: string;
  groups: string[];
}

/** By login. */
export type UserAccounts = Readonly<Record<string, UserAccount>>;

/** Decides whether a call may touch a stream. Without accounts (that is, without TLS) everybody may do everything. */
export class AccessControl {
  constructor(
    private readonly log: EventLog,
    private readonly accounts: UserAccounts | undefined,
  ) {}

  /** Refuses credentials that are wrong, whatever is asked for. */
  authenticate(call: GrpcCall): User | undefined {
    if (this.accounts === undefined || call.authorization === undefined) return undefined;
    const user = userOf(this.accounts, call.authorization);
    if (user === undefined) throw new GrpcError(Status.UNAUTHENTICATED, 'The login or the password is wrong.');
    return user;
  }

  async allows(user: User | undefined, action: 'read' | 'write' | 'delete', stream: string): Promise<boolean> {
    if (this.accounts === undefined) return true;
    if (stream === ALL_STREAM) return mayDo(user, action, stream, NO_METADATA);
    const [described, meant] = isMetadataStream(stream)
      ? ([describedStreamOf(stream), metadataAction(action)] as const)
      : ([stream, action] as const);
    return mayDo(user, meant, described, (await this.log.view(described)).metadata);
  }

  async require(user: User | undefined, action: 'read' | 'write' | 'delete', stream: string): Promise<void> {
    if (!(await this.allows(user, action, stream))) throw accessDenied();
  }
}

export function accessDenied(): GrpcError {
  return new GrpcError(Status.PERMISSION_DENIED, 'Access denied.', { exception: 'access-denied' });
}

function metadataAction(action: 'read' | 'write' | 'delete'): StreamAction {
  return action === 'read' ? 'metaRead' : 'metaWrite';
}

function userOf(accounts: UserAccounts, authorization: string): User | undefined {
  const match = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization);
  if (match === null) return undefined;
  const [login, ...rest] = Buffer.from(match[1]!, 'base64').toString('utf8').split(':');
  const account = Object.hasOwn(accounts, login!) ? accounts[login!]! : undefined;
  const same = timingSafeEqual(digest(rest.join(':')), digest(account?.password ?? ''));
  return account !== undefined && same ? { login: login!, groups: account.groups } : undefined;
}

/** Equal lengths for the comparison. */
function digest(password: string): Buffer {
  return createHash('sha256').update(password, 'utf8').digest();
}
