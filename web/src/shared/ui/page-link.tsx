import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';

/** A link to a page of this site, with its text as a property, as a Button has it. */
export const PageLink = createLink(({ text, ...link }: ComponentProps<'a'> & { text: ReactNode }) => (
  <a {...link}>{text}</a>
));
