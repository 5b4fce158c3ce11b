/** A gamer: 12 characters of [0-9a-z], made by the api at registration. */
export type GamerId = string;

/** A gamer with name; a removed gamer is called `deleted-gamer` (decision 38). */
export type NamedGamer = { id: GamerId; gamerTag: string };

/** Rounds are numbered 1, 2, 3 … in the order they were started. */
export type RoundId = number;

/** A purchase: 20 characters of [0-9a-z], made by the api when the command arrives. */
export type PurchaseId = string;

/** Idempotency key: 1 to 64 characters of [A-Za-z0-9_-], from the header `Idempotency-Key`, or a new UUID. */
export type CommandId = string;

export type Role = 'gamer' | 'admin' | 'auditor' | 'operator';

/** The parts of the admin's work that an operator may do (decision 50a). */
export const POWERS = ['money', 'game', 'support', 'community'] as const;
export type Power = (typeof POWERS)[number];

/** Staff have powers that gamers lack, so their sessions, passwords and logins have stricter rules. */
export const isStaff = (role: Role): boolean => role !== 'gamer';

/** Ids made by the api: 20 characters of [0-9a-z]. */
export type DepositId = string;
export type WithdrawalId = string;
export type TicketId = string;
export type PostId = string;

/** The gateway's id of a payment, as text (the gateway sometimes sends a number). */
export type GatewayPaymentId = string;

/** The api's id of an invoice, the gateway's `order_id`: names the stream `payment-{id}`. */
export type OrderId = string;
