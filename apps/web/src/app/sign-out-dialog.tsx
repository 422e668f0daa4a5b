import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { messageWords } from './connection-words.ts';

interface SignOutDialogProps {
  readonly unsent: number;
  readonly onClose: () => void;
  readonly onSignOut: (discardUnsent: boolean) => void;
}

/** What is to become of messages that were never sent. */
export function SignOutDialog({ unsent, onClose, onSignOut }: SignOutDialogProps) {
  const words = `${messageWords(unsent)} ${unsent === 1 ? 'is' : 'are'} not sent yet`;
  const it = unsent === 1 ? 'It stays' : 'They stay';
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={words}
      description={`${it} on this device, encrypted, and can only be sent after you sign in here again.`}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Stay signed in
          </Button>
          <Button variant="outline" color="error" onClick={() => onSignOut(true)}>
            Discard and sign out
          </Button>
          <Button onClick={() => onSignOut(false)}>Keep and sign out</Button>
        </>
      }
    />
  );
}
