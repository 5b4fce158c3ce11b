/** A gamer: 12 characters of [0-9a-z], made by the api at registration. */
export type GamerId = string;

/** Rounds are numbered 1, 2, 3 … in the order they were started. */
export type RoundId = number;

/** A purchase: 20 characters of [0-9a-z], made by the api when the command arrives. */
export type PurchaseId = string;

/** 1 to 64 characters of [A-Za-z0-9_-]: the `Idempotency-Key` header, or a fresh UUID. */
export type CommandId = string;

export type Role = 'gamer' | 'admin' | 'auditor';

/** Our own ids, 20 characters of [0-9a-z] each. */
export type DepositId = string;
export type WithdrawalId = string;
export type TicketId = string;
export type PostId = string;

/** A payment at the gateway, as text (it is sometimes a number there). */
export type GatewayPaymentId = string;

/** Our own number of an invoice, the gateway's `order_id`: the stream `payment-{id}`. */
export type OrderId = string;
