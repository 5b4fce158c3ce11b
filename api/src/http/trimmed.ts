import { Transform } from 'class-transformer';

/** White space around what was typed is not part of it. */
export const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));
