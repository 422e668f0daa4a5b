import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { type ReactNode, useId } from 'react';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useForm } from '../use-form.ts';

interface ReasonDialogProps<Name extends string> {
  readonly title: string;
  readonly description: string;
  readonly submitLabel: string;
  /** Who will read the reason. */
  readonly help?: string;
  readonly isDanger?: boolean;
  /** What the reason begins with. */
  readonly reason?: string | undefined;
  /** What becomes of it without a network; left out, it needs one. */
  readonly offline?: string;
  /** Of the reason, in characters; 300 unless told. */
  readonly maxLength?: number;
  /** What is said at a field of `children` that was left empty. */
  readonly required?: Partial<Readonly<Record<Name, string>>>;
  /** Further fields, and what is wrong with them. */
  readonly children?: (errors: Partial<Readonly<Record<Name | 'reason', string | undefined>>>) => ReactNode;
  readonly names?: readonly Name[];
  /** The dialog closes when it resolves; what it rejects with is said in it. */
  readonly onSend: (values: Readonly<Record<Name | 'reason', string>>) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks why, before what is done only for a reason, which stays with it. */
export function ReasonDialog<Name extends string = never>(dialog: ReasonDialogProps<Name>) {
  const { title, description, submitLabel, help, isDanger, maxLength = 300, required, children, names = [] } = dialog;
  const { onSend, onClose, offline, reason } = dialog;
  const formId = useId();
  const isOnline = useOnline();
  const { props, error, isBusy } = useForm<Name | 'reason'>({
    names: [...names, 'reason'],
    required: { ...required, reason: 'Say why.' } as Partial<Record<Name | 'reason', string>>,
    async send(values) {
      await onSend(values);
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Back
          </Button>
          <Button
            type="submit"
            form={formId}
            color={isDanger ? 'error' : 'primary'}
            disabled={!isOnline && offline === undefined}
            isLoading={isBusy}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        {!isOnline && (
          <Banner tone="warning">You’re offline. {offline ?? 'This can be done once you’re back online.'}</Banner>
        )}
        {children?.(error.fields)}
        <Textarea
          label="Reason"
          name="reason"
          rows={2}
          dir="auto"
          autoComplete="off"
          defaultValue={reason}
          maxLength={maxLength}
          help={help}
          error={error.fields.reason}
        />
      </form>
    </Dialog>
  );
}
