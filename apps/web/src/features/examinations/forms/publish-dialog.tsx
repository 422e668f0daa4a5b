import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { Sentences } from './sentences.tsx';
import type { FormDraft } from './use-form-draft.ts';

interface PublishDialogProps {
  readonly version: number;
  readonly changes: readonly string[];
  readonly warnings: readonly string[];
  readonly draft: FormDraft;
  readonly onClose: () => void;
}

/** What becomes of the form, before it can no longer be changed. */
export function PublishDialog({ version, changes, warnings, draft, onClose }: PublishDialogProps) {
  const [failed, setFailed] = useState(false);
  const publish = async () => {
    setFailed(false);
    const done = (await draft.save()) && (await draft.act('publish'));
    if (done) onClose();
    else setFailed(true);
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Publish version ${version}?`}
      description="Examinations are begun with it from now on. Those that were begun before keep their version."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button isLoading={draft.busy !== null} onClick={() => void publish()}>
            Publish version {version}
          </Button>
        </>
      }
    >
      <div className="stack">
        {failed && (draft.error || draft.isOvertaken) && (
          <Banner tone="error">{draft.error ?? 'Somebody changed this form. Close this to see how.'}</Banner>
        )}
        <h3 className="t13 semi">What is different</h3>
        <Sentences of={changes} />
        {warnings.length > 0 && (
          <>
            <h3 className="t13 semi">To know</h3>
            <Sentences of={warnings} />
          </>
        )}
      </div>
    </Dialog>
  );
}
