import type { Actor } from '../../../contracts/events/metadata.js';
import type { GamerOfSession } from './session.js';

/** Whoever is logged in, as the log names them. */
export const actorOf = ({ gamerId, role }: GamerOfSession): Actor => ({ id: gamerId, role });
