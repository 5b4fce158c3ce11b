/** One that leads nowhere says why, and keeps the focus: somebody may hold it down until the end. */
export function StepButton({ why, onPress, children }: { why: string | null; onPress: () => void; children: string }) {
  return (
    <button
      type="button"
      className="btn btn--line btn--sm"
      aria-disabled={why !== null}
      title={why ?? undefined}
      onClick={() => why === null && onPress()}
    >
      {children}
    </button>
  );
}
