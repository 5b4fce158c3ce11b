import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import { type CommittedLog, metadataStreamOf } from '../log/committed-log.js';
import { FRAME_HEADER_LENGTH, offsetsOf } from '../log/event-frame.js';
import { type Authorize, type GrpcCall, GrpcError } from '../wire/grpc-server.js';

const ADMINS = '$admins';
/** Role of every user who has logged in. */
const EVERY_USER = '$all';
/** An action's field in the ACL of a stream, and of the stream that a metadata stream describes. */
const ACL_FIELDS = { read: ['$r', '$mr'], write: ['$w', '$mw'], delete: ['$d', '$mw'] } as const;
const METADATA_PREFIX = metadataStreamOf('');

/** Accounts by login. */
type UserAccounts = Readonly<Record<string, { password: string; groups: string[] }>>;

const accessDenied = (code: status): GrpcError => {
  const details = { type: 'event_store.client.AccessDenied', message: new shared.AccessDenied() };
  return new GrpcError(code, 'Access denied.', { exception: 'access-denied' }, details);
};

/** Rights by the stream's own ACL, as at EventStoreDB; without one, system streams are for administrators, others for all. */
export const authorizeUsers =
  (accounts: UserAccounts) =>
  (log: CommittedLog): Authorize =>
  async (call, action, stream) => {
    const user = userOf(call, accounts);
    if (user?.groups.includes(ADMINS)) return;
    const isMetadata = stream.startsWith(METADATA_PREFIX);
    const protectedStream = isMetadata ? stream.slice(METADATA_PREFIX.length) : stream;
    const acl = user && (await aclOf(log, protectedStream));
    const stated = acl?.[ACL_FIELDS[action][isMetadata ? 1 : 0]];
    const roles = stated === undefined ? [protectedStream.startsWith('$') ? ADMINS : EVERY_USER] : [stated].flat();
    if (user && roles.some((role) => role === EVERY_USER || role === user.login || user.groups.includes(role))) return;
    throw accessDenied(status.PERMISSION_DENIED);
  };

/** Undefined when the call names no user. */
function userOf({ headers: { authorization } }: GrpcCall, accounts: UserAccounts) {
  if (authorization === undefined) return undefined;
  const [login = '', ...password] = Buffer.from(authorization.replace(/^Basic /i, ''), 'base64')
    .toString()
    .split(':');
  const account = accounts[login];
  if (account?.password !== password.join(':')) throw accessDenied(status.UNAUTHENTICATED);
  return { login, groups: account.groups };
}

async function aclOf(log: CommittedLog, stream: string): Promise<Record<string, string | string[]>> {
  const metadata = metadataStreamOf(stream);
  const [run] = await log.streamForwards(metadata, await log.lastRevision(metadata), 1);
  if (run === undefined) return {};
  const newest = run.bytes.subarray(offsetsOf(run).at(-1)! + FRAME_HEADER_LENGTH);
  const event = streams.ReadResp.deserializeBinary(newest).getEvent()?.getEvent();
  const { $acl = {} } = JSON.parse(Buffer.from(event!.getData_asU8()).toString());
  return $acl;
}
