import { hash } from 'node:crypto';

/** Names a stream in the index: 128 bits of a SHA-256, as a uuid. Long names cost no more than short ones. */
export function streamKey(stream: string): string {
  const hex = hash('sha256', stream, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
