const KEY_BYTES = 16;

/** 32 hexadecimal digits. Also where a game is played at home by http and an address, where there is no randomUUID. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');
