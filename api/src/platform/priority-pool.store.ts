import { Pool } from 'pg';

/**
 * Connections for what every purchase waits for: sessions, accounts, the liveness and the clock of the node, its turns. Long
 * lists and reports use the other pool, so that they never keep a purchase waiting.
 */
export class PriorityPool extends Pool {}
