/** Nothing while there is one page. */
export function Pages({
  label,
  page,
  pages,
  onPage,
}: {
  label: string;
  page: number;
  pages: number;
  onPage: (page: number) => void;
}) {
  if (pages <= 1) return null;
  return (
    <nav className="flex items-center justify-between gap-4" aria-label={label}>
      <button type="button" className="btn btn--line btn--sm" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span className="t14 dim num" aria-live="polite">
        Page {page} of {pages.toLocaleString('en-US')}
      </span>
      <button type="button" className="btn btn--line btn--sm" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
}
