import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';

interface UnusualDialogProps {
  /** Of which unit, where several are on the page. */
  readonly unit?: string;
  readonly counts: readonly { readonly field: string; readonly text: string }[];
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks once whether what is unusual is right; it forbids nothing. Not loaded later: it is asked without a network too. */
export function UnusualDialog({ unit, counts, onConfirm, onClose }: UnusualDialogProps) {
  const [first, ...more] = counts;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={more.length > 0 ? 'Are these numbers right?' : 'Is this number right?'}
      description={unit ? `${unit} reports what it does not usually have.` : 'It is not what this unit usually has.'}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Change it
          </Button>
          <Button onClick={onConfirm}>Yes, submit</Button>
        </>
      }
    >
      <ul className="stack stack-1 num">
        {[first, ...more].map((count) => count && <li key={count.field}>{count.text}</li>)}
      </ul>
    </Dialog>
  );
}
