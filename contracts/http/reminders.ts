/** GET /api/reminders/key: the server's public key, for which a browser subscribes (VAPID, RFC 8292). */
export type ReminderKeyResponse = { key: string };

/** PUT /api/reminders: the browser's push subscription. */
export interface RemindMeRequest {
  /** The browser's address at its push service. */
  endpoint: string;
  /** The browser's public key and secret, base64url (RFC 8291). */
  p256dh: string;
  auth: string;
}

/** DELETE /api/reminders */
export type ForgetReminderRequest = Pick<RemindMeRequest, 'endpoint'>;

/** The encrypted content of a push message. */
export type RoundReminder = { roundId: number; endsAtEpochMs: number };
