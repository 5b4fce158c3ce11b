import { Copy, Download } from 'lucide-react';
import type { AuditEvent } from '../../../../../contracts/http/audit.js';
import { saveFile } from '../../../shared/lists/save-file.js';
import { copyText } from '../../../shared/ui/copy.js';
import { Dialog } from '../../../shared/ui/dialog.js';
import { scrollable } from '../../../shared/ui/scrollable.js';
import { numberText } from '../audit-words.js';

interface JsonDialogProps {
  event: AuditEvent;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The event as it stands in the log. */
export function JsonDialog({ event, ...dialog }: JsonDialogProps) {
  const title = `Event ${numberText(event.number)} as JSON`;
  const text = JSON.stringify(event.recorded, null, 2);
  return (
    <Dialog {...dialog} wide title={title} description="As it stands in the log, its metadata with it.">
      <pre className="audit-json code" {...scrollable(title)}>
        {text}
      </pre>
      <div className="actions">
        <button
          type="button"
          className="btn btn--line btn--sm"
          onClick={() => void copyText(text, 'The event is on the clipboard.')}
        >
          <Copy size={18} aria-hidden="true" />
          Copy
        </button>
        <button
          type="button"
          className="btn btn--line btn--sm"
          onClick={() => saveFile(`event-${event.number}.json`, `${text}\n`, 'application/json')}
        >
          <Download size={18} aria-hidden="true" />
          Download
        </button>
      </div>
    </Dialog>
  );
}
