import type { ReactNode } from 'react';
import { Brand } from '../shared/ui/brand.js';
import { PageFooter } from './page-footer.js';
import { mainTarget } from './skip-link.js';

/** A page away from the stage: the brand above it, the footer below. `aside` stands across from the brand. */
export function SimplePage({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="wrap simple-page">
      <header className="topbar">
        <Brand />
        {aside}
      </header>
      <main className="simple" {...mainTarget}>
        {children}
      </main>
      <PageFooter />
    </div>
  );
}
