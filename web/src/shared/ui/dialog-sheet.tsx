import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';

export interface DialogProps {
  open?: boolean;
  onClose: () => void;
  /** Called when the code of the dialog could not be fetched. */
  onFailure?: () => void;
  title: string;
  description?: string;
  /** Shown above the title on phones, where the sheet hides the page. */
  above?: ReactNode;
  wide?: boolean;
  /** A question is over everything; a press beside it does not close it. No button has the first focus unless it is marked. */
  isQuestion?: boolean;
  children: ReactNode;
}

const QUESTION = { role: 'alertdialog', onInteractOutside: (event: Event) => event.preventDefault() } as const;

/** A sheet from below on phones, centred in wider windows. Focus is trapped; Escape closes; focus returns to where it was. */
export default function DialogSheet(props: DialogProps) {
  const { open = true, onClose, title, description, above, wide = false, isQuestion = false, children } = props;
  const focus = useDialogFocus(open, onClose, isQuestion);
  return (
    <Radix.Root open={open} onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className={isQuestion ? 'scrim scrim--over' : 'scrim'} />
        <Radix.Content
          className={wide ? 'dialog dialog--wide' : 'dialog'}
          {...focus}
          {...(isQuestion && QUESTION)}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          {above}
          <div className="dialog-head">
            <Radix.Title>{title}</Radix.Title>
            {!isQuestion && (
              <Radix.Close className="x" aria-label="Close">
                <X size={18} aria-hidden="true" />
              </Radix.Close>
            )}
          </div>
          {description !== undefined && (
            <Radix.Description className={isQuestion ? 'whitespace-pre-line' : 't14 dim'}>
              {description}
            </Radix.Description>
          )}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const openDialogs: { content: RefObject<HTMLElement | null>; close: () => void }[] = [];

/** Back closes the topmost dialog: each has a history entry, made apart from the router, whose state counts dialogs. */
const entriesOfDialogs = (): number => window.history.state?.dialogs ?? 0;
let isLeaving = false;

/** Leaves surplus history entries, in a later task, so that a dialog can take over the entry of the one that it replaces. */
function syncHistoryEntries(): void {
  setTimeout(() => {
    if (isLeaving) return;
    const surplus = entriesOfDialogs() - openDialogs.length;
    if (surplus > 0) {
      isLeaving = true;
      window.history.go(-surplus);
    }
    for (let dialogs = entriesOfDialogs() + 1; dialogs <= openDialogs.length; dialogs += 1)
      History.prototype.pushState.call(window.history, { ...window.history.state, dialogs }, '');
  });
}

function closeByBack(): void {
  const entries = entriesOfDialogs();
  // An entry that Forward, or Back from another page, returns to after its dialog was closed.
  if (!isLeaving && entries > openDialogs.length) {
    const { dialogs: _, ...state } = window.history.state;
    History.prototype.replaceState.call(window.history, state, '');
  }
  if (!isLeaving) for (const { close } of openDialogs.slice(entries).reverse()) close();
  isLeaving = false;
  syncHistoryEntries();
}

/** Escape and Back close the topmost dialog, not a toast over it. The focus returns to the opener or its section. */
function useDialogFocus(open: boolean, onEscape: () => void, isQuestion: boolean) {
  const content = useRef<HTMLDivElement>(null);
  const opener = useRef<Element | null>(null);
  const section = useRef<HTMLElement | null>(null);
  const press = useEffectEvent(onEscape);
  useEffect(() => {
    if (!open) return;
    const dialog = { content, close: () => press() };
    openDialogs.push(dialog);
    syncHistoryEntries();
    // Added once, however many dialogs open.
    window.addEventListener('popstate', closeByBack);
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || openDialogs.at(-1) !== dialog) return;
      const { target } = event;
      if (target !== document.body && !(target instanceof Node && content.current?.contains(target))) return;
      event.preventDefault();
      event.stopPropagation();
      press();
    };
    // Listens on window in the capture phase, so that it runs before Radix's listeners on the document.
    window.addEventListener('keydown', listen, { capture: true });
    return () => {
      openDialogs.splice(openDialogs.indexOf(dialog), 1);
      syncHistoryEntries();
      window.removeEventListener('keydown', listen, { capture: true });
    };
  }, [open]);
  return {
    ref: content,
    onOpenAutoFocus: (event: Event) => {
      opener.current = document.activeElement;
      section.current = document.activeElement?.closest<HTMLElement>('[tabindex="-1"]') ?? null;
      const marked = content.current?.querySelector<HTMLElement>('[data-first-focus]');
      const first = marked ?? (isQuestion ? content.current : null);
      if (!first || (first instanceof HTMLInputElement && opensScreenKeyboard())) return;
      event.preventDefault();
      first.focus();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      // A button of the dialog may have led to a part of the page.
      const focused = document.activeElement;
      if (focused !== document.body && focused?.closest('[role=dialog]') === null) return;
      const { current: element } = opener;
      // Where a part of the page is kept clear, the browser would scroll to an element that is in view.
      if (element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: isInWindow(element) });
      else section.current?.focus({ preventScroll: true });
    },
  };
}

const opensScreenKeyboard = (): boolean => window.matchMedia('(pointer: coarse)').matches;

function isInWindow(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}

/** Properties of the field that gets a dialog's first focus, even when its code was still loading as the dialog opened. */
export function useFirstFocus() {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focused = document.activeElement;
    const isInDialog = ref.current?.closest('[role=dialog]')?.contains(focused) ?? false;
    if (isInDialog && focused?.tagName === 'BUTTON' && !opensScreenKeyboard()) ref.current?.focus();
  }, []);
  return { ref, 'data-first-focus': true };
}
