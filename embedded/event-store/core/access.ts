import type { Roles, StreamMetadata } from './stream-metadata.js';

/** Who is asking; undefined where somebody has not said. */
export interface User {
  login: string;
  groups: readonly string[];
}

export type StreamAction = 'read' | 'write' | 'delete' | 'metaRead' | 'metaWrite';

export const ADMINS = '$admins';
/** Everybody who has signed in. */
const EVERYBODY = '$all';
const ADMINS_ONLY: Roles = [ADMINS];
const SIGNED_IN: Roles = [EVERYBODY];

/**
 * Who may do what, as EventStoreDB has it: the stream's own ACL; where that is silent, system streams (and `$all`,
 * which is one) are for administrators and every other stream is for whoever has signed in. `$admins` may everything.
 *
 * @param stream the stream itself, never its metadata stream: reading that is the action `metaRead`
 */
export function mayDo(user: User | undefined, action: StreamAction, stream: string, metadata: StreamMetadata): boolean {
  if (user === undefined) return false;
  if (user.groups.includes(ADMINS)) return true;
  const roles = metadata.acl?.[action] ?? (stream.startsWith('$') ? ADMINS_ONLY : SIGNED_IN);
  return roles.some((role) => role === EVERYBODY || role === user.login || user.groups.includes(role));
}
