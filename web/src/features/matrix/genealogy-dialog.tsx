import { useState } from 'react';
import type { GamerId } from '../../../../contracts/ids.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { Late, latePart } from '../../shared/ui/late.js';

export interface OpenedGamer {
  id: GamerId;
  username: string;
}

export interface GenealogyExplorerProps {
  gamer: OpenedGamer;
  /** Who was opened before, to go back to. */
  before: OpenedGamer | null;
  isMe: boolean;
  onOpen: (gamer: OpenedGamer) => void;
  onBack: () => void;
  onClose: () => void;
}

const genealogyExplorer = latePart<GenealogyExplorerProps>(
  () => import('./genealogy-explorer.js').then((module) => module.GenealogyExplorer),
  { label: 'Loading the genealogy explorer', rows: 8 },
);

interface GenealogyDialogProps {
  me: OpenedGamer;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The tree of the gamer, and of those in it that were opened from there, one after another. */
export function GenealogyDialog({ me, open, onOpenChange }: GenealogyDialogProps) {
  const [path, setPath] = useState<OpenedGamer[]>([]);
  const gamer = path.at(-1) ?? me;
  return (
    <Dialog
      wide
      open={open}
      title={`${gamer.username}'s Genealogy Tree`}
      onOpenChange={(next) => {
        onOpenChange(next);
        if (next) setPath([]);
      }}
    >
      <Late
        part={genealogyExplorer}
        props={{
          gamer,
          before: path.length === 0 ? null : (path.at(-2) ?? me),
          isMe: path.length === 0,
          onOpen: (next) => setPath([...path, next]),
          onBack: () => setPath(path.slice(0, -1)),
          onClose: () => onOpenChange(false),
        }}
      />
    </Dialog>
  );
}
