import { useState } from 'react';
import { ApiError, reasonOf } from '../../shared/api/api-error.js';
import { toast } from '../../shared/ui/toasts.js';

/**
 * How a form's call failed, as a toast and beside the form: the server's own sentence, or `fallback`; when the server was
 * not reached, `fallback` and the error's message (specification §8).
 */
export function useFormFailure(fallback: string) {
  const [failure, setFailure] = useState<string | null>(null);
  const fail = (error: unknown): string => {
    const text = failureText(error, fallback);
    setFailure(text);
    toast({ title: fallback, text, tone: 'bad' });
    return text;
  };
  return { failure, fail, clear: () => setFailure(null) };
}

function failureText(error: unknown, fallback: string): string {
  if (error instanceof ApiError) return reasonOf(error, fallback);
  return error instanceof TypeError ? `${fallback}: ${error.message}` : 'An unexpected error occurred';
}
