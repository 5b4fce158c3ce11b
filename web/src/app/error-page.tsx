import { SimplePage } from './simple-page.js';

/** A page that could not be shown: its code did not arrive, or it broke. The game itself runs on the server. */
export function ErrorPage() {
  return (
    <SimplePage>
      <h1 className="h2">This page could not be shown</h1>
      <p className="dim">The game goes on without it, and nothing you bought or own is touched.</p>
      <button type="button" className="btn btn--act" onClick={() => window.location.reload()}>
        Load the page again
      </button>
    </SimplePage>
  );
}
