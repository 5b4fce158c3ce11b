import { Brand } from '../shared/ui/brand.js';

export function PageFooter() {
  return (
    <footer className="foot">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <Brand />
      </div>
      <p>A daily countdown game. Play for winnings only. Not an income opportunity.</p>
    </footer>
  );
}
