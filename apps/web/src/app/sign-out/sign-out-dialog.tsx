import type { OverlayControl } from '@wardline/client/overlays/overlay.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { formatUnsent } from '#/shared/forms/format-unsent.ts';
import type { Lost } from './typed-only-here.ts';

interface SignOutDialogProps {
  readonly unsent: number;
  /** Of which kinds it is. */
  readonly kinds: readonly string[];
  /** What is on this device alone and cannot be kept, in words; null for nothing. */
  readonly lost: Lost | null;
  readonly overlay: OverlayControl<'keep' | 'discard'>;
}

/** What is to become of what was never sent, and what goes in any case. */
export function SignOutDialog({ unsent, kinds, lost, overlay }: SignOutDialogProps) {
  const it = unsent === 1 ? 'It stays' : 'They stay';
  const stays = `${it} on this device, encrypted, and can only be sent after you sign in here again.`;
  return (
    <Dialog
      open={overlay.isOpen}
      onOpenChange={(isOpen) => !isOpen && overlay.dismiss()}
      onAfterLeave={overlay.afterLeave}
      title={
        unsent > 0 || !lost ? `${formatUnsent(unsent, kinds)} ${unsent === 1 ? 'is' : 'are'} not sent yet` : lost.title
      }
      description={[unsent > 0 && stays, lost?.text].filter(Boolean).join(' ')}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={overlay.dismiss}>
            Stay signed in
          </Button>
          <Button variant="outline" color="error" onClick={() => overlay.close('discard')}>
            Discard and sign out
          </Button>
          {unsent > 0 && <Button onClick={() => overlay.close('keep')}>Keep and sign out</Button>}
        </>
      }
    />
  );
}
