import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Brand } from '../shared/ui/brand.js';
import { Button } from '../shared/ui/controls.js';
import { PageHeader } from './page-header.js';

/** Properties of each page's main element, which the link "Skip to the content" focuses. */
export const mainTarget = { id: 'main', tabIndex: -1 } as const;

const socials = [
  { name: 'X', path: 'M4 4l16 16M20 4 4 20' },
  { name: 'Telegram', path: 'M21 4 3 11l6 2.5L18 7l-6.5 8 6 5z' },
  {
    name: 'YouTube',
    path: 'M6 6h12a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V9a3 3 0 0 1 3-3zM10.5 9.5l4 2.5-4 2.5z',
  },
] as const;

/** The social links have no destination yet (specification §2), so they link to the current page. */
export function PageFooter() {
  return (
    <footer className="foot">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <Brand />
        <nav aria-label="Social">
          {socials.map(({ name, path }) => (
            <Link
              key={name}
              className="iconbtn"
              to="."
              search={true}
              resetScroll={false}
              title={`${name}: not open yet`}
            >
              <span className="sr">{name}, not open yet</span>
              <svg
                width="18"
                height="18"
                viewBox="0 0 24 24"
                fill="none"
                stroke="currentColor"
                strokeWidth="2"
                strokeLinejoin="round"
                aria-hidden="true"
              >
                <path d={path} />
              </svg>
            </Link>
          ))}
        </nav>
      </div>
      <p>A daily countdown game. Play for winnings only. Not an income opportunity.</p>
    </footer>
  );
}

export function SimplePage({ children }: { children: ReactNode }) {
  return (
    <div className="simple-page">
      <PageHeader />
      <main className="wrap" {...mainTarget}>
        <div className="simple">{children}</div>
      </main>
      <div className="wrap">
        <PageFooter />
      </div>
    </div>
  );
}

/** Shown when a page's code could not be fetched or failed. The game itself runs on the server. */
export function ErrorPage() {
  return (
    <SimplePage>
      <h1 className="h2">This page could not be shown</h1>
      <p className="dim">The game continues without it, and nothing you own is affected.</p>
      <Button kind="act" text="Load the page again" onClick={() => window.location.reload()} />
    </SimplePage>
  );
}

export function NotFoundPage() {
  return (
    <SimplePage>
      <p className="label">404</p>
      <h1 className="h2">Page Not Found</h1>
      <p className="dim">There is no page at this address.</p>
      <Link className="btn btn--act" to="/">
        Go to the game
      </Link>
    </SimplePage>
  );
}
