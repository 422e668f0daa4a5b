import type { Observable } from '@wardline/client/observable.ts';
import type { OverlayControl } from '@wardline/client/overlays/overlay.ts';
import { formatRounded } from '@wardline/format/numbers.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Progress } from '@wardline/ui/progress/progress.tsx';
import { useSyncExternalStore } from 'react';

interface DownloadDialogProps {
  readonly title: string;
  /** How many bytes have come. */
  readonly received: Observable<number>;
  readonly overlay: OverlayControl<'cancelled'>;
}

/** UI-2: a file on its way: how much of it has come, and the way to stop it. How long it will be nobody knows. */
export function DownloadDialog({ title, received, overlay }: DownloadDialogProps) {
  const bytes = useSyncExternalStore(received.subscribe, received.get);
  const cancel = () => overlay.close('cancelled');
  return (
    <Dialog
      open={overlay.isOpen}
      onOpenChange={(isOpen) => !isOpen && cancel()}
      onAfterLeave={overlay.afterLeave}
      title={title}
      footer={
        <Button variant="ghost" color="neutral" onClick={cancel}>
          Cancel
        </Button>
      }
    >
      <Progress label={bytes === 0 ? 'Preparing the file' : `${formatBytes(bytes)} received`} value={null} />
    </Dialog>
  );
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${formatRounded(bytes / 1_000_000, 1)} MB`;
}
