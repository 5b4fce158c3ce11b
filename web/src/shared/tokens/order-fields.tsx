import { Minus, Plus } from 'lucide-react';
import { useId } from 'react';
import { MAX_TOKENS_PER_PURCHASE } from '../../../../contracts/limits.js';
import { type LimitKind } from '../../../../contracts/protection.js';
import { limitText, refusalText } from '../../../../contracts/refusals.js';
import { useTerms } from '../board.js';
import { formatCents, wholeFromInput } from '../format.js';
import { useProtection, useStrictestLimit } from '../session.queries.js';
import { createStore } from '../store.js';
import { Button, FieldMessage, PageLink } from '../ui/controls.js';
import { useFirstFocus } from '../ui/dialog-sheet.js';
import { Notice } from '../ui/notice.js';
import './tokens.css';

/** The quantity typed in one dialog for the next: from the balance, or with crypto after all. */
export const carriedQuantity = createStore<string | null>(null);

interface QuantityFieldProps {
  text: string;
  onChange: (text: string) => void;
  problem: string | null;
}

/** A field for a number of tokens. Leaving it empty or invalid sets it to 1 (specification §5). */
export function QuantityField({ text, onChange, problem }: QuantityFieldProps) {
  const id = useId();
  const firstFocus = useFirstFocus();
  const { tokenPriceCents } = useTerms();
  const quantity = wholeFromInput(text);
  const step = (by: number) => onChange(`${Math.min(Math.max((quantity ?? 0) + by, 1), MAX_TOKENS_PER_PURCHASE)}`);
  return (
    <div className="field">
      <label htmlFor={id}>How many tokens, {formatCents(tokenPriceCents)} each</label>
      <div className={`stepper ${problem === null ? '' : 'stepper--bad'}`}>
        <Button className="" icon={Minus} aria-label="One fewer" onClick={() => step(-1)} />
        <input
          id={id}
          {...firstFocus}
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          value={text}
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : `${id}-m`}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
            if (by === undefined) return;
            event.preventDefault();
            step(by);
          }}
          onFocus={(event) => event.target.select()}
          onBlur={() => quantity === null && onChange('1')}
        />
        <Button className="" icon={Plus} aria-label="One more" onClick={() => step(1)} />
      </div>
      <FieldMessage id={`${id}-m`} error={problem} />
    </div>
  );
}

/** The strictest limit of these kinds; a warning when the amount is beyond it, or when a limit must be chosen first. */
export function LimitLeft({ kinds, cents }: { kinds: readonly LimitKind[]; cents: number }) {
  const { data } = useProtection();
  const strictest = useStrictestLimit(kinds);
  if (data?.mustChooseLimits) {
    const text = (
      <>
        {refusalText({ code: 'limits-required' })}: <PageLink className="linkish" to="/protection" text="My Limits" />.
      </>
    );
    return <Notice tone="bad" title="Choose a limit first" text={text} />;
  }
  if (strictest === undefined) return null;
  if (cents > strictest.leftCents) {
    const whose = strictest.setBy === 'gamer' ? 'your' : 'the operator’s';
    return <Notice tone="bad" title={`Beyond ${whose} limit`} text={limitText(strictest)} />;
  }
  return <p className="t14 dim">{limitText(strictest)}</p>;
}
