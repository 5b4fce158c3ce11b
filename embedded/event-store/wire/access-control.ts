import shared from '@eventstore/db-client/generated/shared_pb.js';
import { status } from '@grpc/grpc-js';
import { type CommittedLog, metadataStreamOf } from '../log/committed-log.js';
import { dataOf, TOMBSTONE_REVISION } from '../log/event-frame.js';
import { offsetsOf } from '../log/run.js';
import { type GrpcCall, GrpcError } from './grpc-server.js';

const ADMINS = '$admins';
/** Role of every user who has signed in. */
const EVERY_USER = '$all';
/** An action's field in the ACL of a stream, and of the stream that a metadata stream describes. */
const ACL_FIELDS = { read: ['$r', '$mr'], write: ['$w', '$mw'], delete: ['$d', '$mw'] } as const;
const METADATA_PREFIX = metadataStreamOf('');

/** Accounts by login. */
export type UserAccounts = Readonly<Record<string, { password: string; groups: string[] }>>;

export interface User {
  login: string;
  groups: readonly string[];
}

/**
 * By the stream's own ACL, as EventStoreDB does; without one, system streams (`$all` is one) are for administrators,
 * others for every user. `$admins` may do all, and so may everybody without accounts. For tests of our settings.
 */
export class AccessControl {
  constructor(
    private readonly log: CommittedLog,
    private readonly accounts: UserAccounts | undefined,
  ) {}

  /** Returns the call's user, undefined when it names none. Throws for wrong credentials. */
  userOf({ authorization }: GrpcCall): User | undefined {
    if (this.accounts === undefined || authorization === undefined) return undefined;
    const [login = '', ...password] = Buffer.from(authorization.replace(/^Basic /i, ''), 'base64')
      .toString()
      .split(':');
    const account = this.accounts[login];
    if (account?.password === password.join(':')) return { login, groups: account.groups };
    throw new GrpcError(status.UNAUTHENTICATED, 'The login or the password is wrong.');
  }

  /** Throws PERMISSION_DENIED. */
  async require(user: User | undefined, action: keyof typeof ACL_FIELDS, stream: string): Promise<void> {
    if (this.accounts === undefined || user?.groups.includes(ADMINS)) return;
    const isMetadata = stream.startsWith(METADATA_PREFIX);
    const protectedStream = isMetadata ? stream.slice(METADATA_PREFIX.length) : stream;
    const acl = user && (await this.aclOf(protectedStream));
    const stated = acl?.[ACL_FIELDS[action][isMetadata ? 1 : 0]];
    const roles = stated === undefined ? [protectedStream.startsWith('$') ? ADMINS : EVERY_USER] : [stated].flat();
    if (user && roles.some((role) => role === EVERY_USER || role === user.login || user.groups.includes(role))) return;
    const details = { type: 'AccessDenied', message: new shared.AccessDenied() };
    throw new GrpcError(status.PERMISSION_DENIED, 'Access denied.', { exception: 'access-denied' }, details);
  }

  private async aclOf(stream: string): Promise<Record<string, string | string[]>> {
    const [run] = await this.log.streamBackwards(metadataStreamOf(stream), TOMBSTONE_REVISION, 1);
    if (run === undefined) return {};
    const { $acl = {} } = JSON.parse(dataOf(run.bytes, offsetsOf(run).at(-1)!).toString());
    return $acl;
  }
}
