import {
  deleteMessageTemplate,
  MESSAGE_TEMPLATES_MAX,
  type MessageTemplate,
} from '@wardline/contract/chat/message-templates.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { plainText } from '#/features/chat/core/message-markdown.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { TemplateDialog } from './template-dialog.tsx';
import { useRefreshTemplates, useTemplates } from './use-templates.ts';

interface TemplatesDialogProps {
  readonly facilityId: string;
  readonly onClose: () => void;
}

/** The templates of a facility, for who runs it: made, changed and deleted here. */
export function TemplatesDialog({ facilityId, onClose }: TemplatesDialogProps) {
  const templates = useTemplates(facilityId, true);
  /** Null is a new one. */
  const [edited, setEdited] = useState<MessageTemplate | null>();
  const known = templates.data ?? [];
  const isFull = known.length >= MESSAGE_TEMPLATES_MAX;
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closeLabel="Close"
      title="Templates"
      description="Everyone here can begin a message with these. SBAR and Consult question are always there too."
      footer={
        <Button icon={Plus} disabled={isFull || !templates.data} onClick={() => setEdited(null)}>
          New template
        </Button>
      }
    >
      {templates.isPending && <Skeleton count={3} label="Loading templates" />}
      {templates.isError && !templates.data && (
        <ErrorState
          title="The templates did not load"
          message={formatFailure(templates.error)}
          onRetry={() => void templates.refetch()}
        />
      )}
      {templates.data && known.length === 0 && <p className="muted">No templates yet.</p>}
      {isFull && <p className="muted">A facility has at most {MESSAGE_TEMPLATES_MAX} templates.</p>}
      {known.length > 0 && (
        <ul aria-label="Templates">
          {known.map((template) => (
            <li key={template.id}>
              <TemplateRow {...{ facilityId, template }} onEdit={() => setEdited(template)} />
            </li>
          ))}
        </ul>
      )}
      {edited !== undefined && (
        <TemplateDialog {...{ facilityId }} existing={edited} onClose={() => setEdited(undefined)} />
      )}
    </Dialog>
  );
}

interface TemplateRowProps {
  readonly facilityId: string;
  readonly template: MessageTemplate;
  readonly onEdit: () => void;
}

function TemplateRow({ facilityId, template, onEdit }: TemplateRowProps) {
  const call = useCall();
  const confirm = useConfirm();
  const refresh = useRefreshTemplates(facilityId);
  const { id, title, body, version } = template;
  const remove = () =>
    void confirm({
      title: `Delete ${title}?`,
      description: 'Messages that began with it stay as they are.',
      confirmLabel: 'Delete',
      onConfirm: async () => {
        const params = { facility: facilityId, template: id };
        // Also where it was refused: then somebody else has changed or deleted it.
        await call(deleteMessageTemplate, { params, query: { expected_version: version } }).finally(refresh);
      },
    });
  const button = { size: 'sm', variant: 'ghost', color: 'neutral', iconOnly: true } as const;
  return (
    <ListRow
      title={title}
      text={plainText(body).replaceAll('\n', ' ')}
      trailing={
        <>
          <Button {...button} icon={Pencil} label={`Edit ${title}`} onClick={onEdit} />
          <Button {...button} icon={Trash2} label={`Delete ${title}`} onClick={remove} />
        </>
      }
    />
  );
}
