import { Link } from '@tanstack/react-router';
import { Send, SquarePlay, X } from 'lucide-react';
import { type ComponentType, type ReactNode, useLayoutEffect } from 'react';
import { useBoard } from '../shared/board.js';
import { formatCents } from '../shared/format.js';
import { useMyId } from '../shared/session.queries.js';
import { PageLink } from '../shared/ui/controls.js';
import { Countdown } from '../shared/ui/countdown.js';
import { Brand, mainTarget, PageHeader, usePageTitle } from './page-frame.js';

const SOCIALS = { X, Telegram: Send, YouTube: SquarePlay };

/** The social links have no destination yet (specification §2), so they link to the current page. */
export const PageFooter = () => (
  <footer className="foot">
    <div className="flex flex-wrap items-center justify-between gap-4">
      <Brand />
      <nav aria-label="Social">
        {Object.entries(SOCIALS).map(([name, Icon]) => (
          <Link key={name} className="iconbtn" to="." search={true} resetScroll={false} title={`${name}: not open yet`}>
            <span className="sr">{name}, not open yet</span>
            <Icon size={18} aria-hidden="true" />
          </Link>
        ))}
      </nav>
    </div>
    <nav aria-label="About the game">
      <PageLink className="linkish" to="/gamers-guide" hash="rules" text="Rules" />
      <PageLink className="linkish" to="/gamers-guide" hash="fairness" text="Fairness" />
      <PageLink className="linkish" to="/verify" text="Check the Ledger" />
      <PageLink className="linkish" to="/record" text="Public Record" />
      <PageLink className="linkish" to="/protection" text="Player Protection" />
      <PageLink className="linkish" to="/" hash="support" text="Contact Support" />
    </nav>
    <p>A daily countdown game. Play for winnings only. Not an income opportunity.</p>
  </footer>
);

export interface PageFrame {
  /** `titled` pages have their route's title as heading; the content of the other kinds has its own. */
  kind?: 'titled' | 'light' | 'simple';
  isLong?: boolean;
  className?: string;
}

export const withFrame = (Content: ComponentType, frame?: PageFrame) => () => (
  <Page {...frame}>
    <Content />
  </Page>
);

function Page({ kind = 'titled', isLong = false, className, children }: PageFrame & { children: ReactNode }) {
  const title = usePageTitle();
  return (
    <div className={kind === 'simple' ? 'simple-page' : className}>
      {kind === 'light' && <LightTheme />}
      <PageHeader>
        <LiveLine />
      </PageHeader>
      <main className="wrap" {...mainTarget}>
        {kind === 'titled' && (
          <div className="flex flex-wrap items-center justify-between gap-4 py-6">
            <h1 className="h2">{title}</h1>
            <ReturnToGame />
          </div>
        )}
        {kind === 'simple' ? <div className="simple">{children}</div> : children}
        {isLong && (
          <p className="pb-12">
            <ReturnToGame />
          </p>
        )}
      </main>
      <div className="wrap">
        <PageFooter />
      </div>
    </div>
  );
}

const ReturnToGame = () => <PageLink className="btn btn--act" to="/" text="Return to Game" />;

const NotFound = () => (
  <>
    <p className="label">404</p>
    <h1 className="h2">Page Not Found</h1>
    <p className="dim">There is no page at this address.</p>
    <PageLink className="btn btn--act" to="/" text="Go to the game" />
  </>
);

export const NotFoundPage = withFrame(NotFound, { kind: 'simple' });

function LiveLine() {
  const { data: board } = useBoard();
  const myId = useMyId();
  if (!board?.isActive || board.endsAtEpochMs === null) return null;
  // A longer tag would not fit into the line on a phone.
  const leader = board.lastBuyerGamerTag?.replace(/^(.{11}).{2,}$/, '$1…') ?? 'someone';
  return (
    <Link className="underline" to="/">
      Live game: <b className="num">{formatCents(board.jackpotCents)}</b>,{' '}
      <Countdown className="time" endsAtMs={board.endsAtEpochMs} />
      {board.lastBuyerId !== null && (board.lastBuyerId === myId ? ', you lead' : `, ${leader} leads`)}
    </Link>
  );
}

/** The colour of the browser's bar around the page: the light theme's background in styles/theme.css. */
const LIGHT_BACKGROUND = '#f2ece2';

function LightTheme(): null {
  useLayoutEffect(() => {
    const root = document.documentElement;
    const bar = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]');
    const previous = bar?.content;
    root.dataset.theme = 'light';
    if (bar) bar.content = LIGHT_BACKGROUND;
    return () => {
      delete root.dataset.theme;
      if (bar && previous !== undefined) bar.content = previous;
    };
  }, []);
  return null;
}
