import type { OverlayControl } from '@wardline/client/overlays/overlay.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { messageWords } from './connection-words.ts';

interface SignOutDialogProps {
  readonly unsent: number;
  readonly overlay: OverlayControl<'keep' | 'discard'>;
}

/** What is to become of messages that were never sent. */
export function SignOutDialog({ unsent, overlay }: SignOutDialogProps) {
  const words = `${messageWords(unsent)} ${unsent === 1 ? 'is' : 'are'} not sent yet`;
  const it = unsent === 1 ? 'It stays' : 'They stay';
  return (
    <Dialog
      open={overlay.isOpen}
      onOpenChange={(isOpen) => !isOpen && overlay.dismiss()}
      onAfterLeave={overlay.afterLeave}
      title={words}
      description={`${it} on this device, encrypted, and can only be sent after you sign in here again.`}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={overlay.dismiss}>
            Stay signed in
          </Button>
          <Button variant="outline" color="error" onClick={() => overlay.close('discard')}>
            Discard and sign out
          </Button>
          <Button onClick={() => overlay.close('keep')}>Keep and sign out</Button>
        </>
      }
    />
  );
}
