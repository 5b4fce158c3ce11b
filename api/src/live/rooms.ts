import type { GamerId } from '../../../contracts/ids.js';

/** A gamer's own sockets. */
export const gamerRoom = (gamerId: GamerId): string => `gamer:${gamerId}`;

/** The admin's sockets. */
export const ADMIN_ROOM = 'admin';
