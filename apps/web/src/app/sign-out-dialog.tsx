import type { OverlayControl } from '@wardline/client/overlays/overlay.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { unsentWords } from './connection-words.ts';

interface SignOutDialogProps {
  readonly unsent: number;
  /** Of which kinds it is. */
  readonly kinds: readonly string[];
  readonly overlay: OverlayControl<'keep' | 'discard'>;
}

/** What is to become of what was never sent. */
export function SignOutDialog({ unsent, kinds, overlay }: SignOutDialogProps) {
  const words = `${unsentWords(unsent, kinds)} ${unsent === 1 ? 'is' : 'are'} not sent yet`;
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
