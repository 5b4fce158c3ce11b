import { COMMUNITY_MESSAGE_MAX_LENGTH } from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/messages.js';

/** A post as typed (specification §5): what may be published, trimmed, or why it may not. */
export function postOf(text: string): { message: string } | { problem: string } {
  const message = text.trim();
  if (message === '') return { problem: refusalText({ code: 'message-required' }) };
  if (message.length > COMMUNITY_MESSAGE_MAX_LENGTH) return { problem: refusalText({ code: 'message-too-long' }) };
  return { message };
}
