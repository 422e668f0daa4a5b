import { statusOf } from '@wardline/client/http/api-error.ts';
import {
  createMessageTemplate,
  type MessageTemplate,
  TEMPLATE_BODY_MAX,
  TEMPLATE_TITLE_MAX,
  updateMessageTemplate,
} from '@wardline/contract/chat/message-templates.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { MessageText } from '#/features/chat/message-text/message-text.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { useRefreshTemplates } from './use-templates.ts';
import './templates.css';

interface TemplateDialogProps {
  readonly facilityId: string;
  /** Null makes a new one. */
  readonly existing: MessageTemplate | null;
  readonly onClose: () => void;
}

/** What a template is called and says, with how it will look. */
export function TemplateDialog({ facilityId, existing, onClose }: TemplateDialogProps) {
  const formId = useId();
  const [written, setWritten] = useState(existing?.body ?? '');
  const { save, isOverwriting } = useSave(facilityId, existing);
  const { props, error, isBusy } = useForm({
    names: ['title', 'body'],
    required: { title: 'Enter a title.', body: 'Write the text.' },
    send: async (values) => {
      if (await save(values)) onClose();
    },
  });
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={existing === null ? 'New template' : 'Edit template'}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            {existing === null ? 'Create template' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        {isOverwriting && (
          <Banner tone="warning">
            Someone changed this template in the meantime. Your text is still here; save again to replace theirs.
          </Banner>
        )}
        <TextInput
          label="Title"
          name="title"
          maxLength={TEMPLATE_TITLE_MAX}
          autoComplete="off"
          defaultValue={existing?.title}
          error={error.fields.title}
        />
        <Textarea
          label="Text"
          name="body"
          rows={7}
          dir="auto"
          maxLength={TEMPLATE_BODY_MAX}
          value={written}
          onChange={({ target }) => setWritten(target.value)}
          help="**Two asterisks** make words bold. A line that ends in a colon is a gap to fill in."
          error={error.fields.body}
        />
        <section className="template-preview" aria-label="Preview">
          <h3 className="label">Preview</h3>
          {written.trim() === '' ? (
            <p className="muted">Nothing written yet.</p>
          ) : (
            <MessageText messageId="template-preview" body={written.trim()} />
          )}
        </section>
      </form>
    </Dialog>
  );
}

/** Sends a template; true once it is stored. What somebody else changed meanwhile is replaced only by a second press. */
function useSave(facilityId: string, existing: MessageTemplate | null) {
  const call = useCall();
  const refresh = useRefreshTemplates(facilityId);
  const [version, setVersion] = useState(existing?.version ?? 0);
  const [isOverwriting, setIsOverwriting] = useState(false);
  const send = async (values: Pick<MessageTemplate, 'title' | 'body'>) => {
    const { title, body } = values;
    if (existing === null) {
      await call(createMessageTemplate, { params: { facility: facilityId }, body: { title, body } });
      return;
    }
    const params = { facility: facilityId, template: existing.id };
    await call(updateMessageTemplate, { params, body: { expected_version: version, title, body } });
  };
  const save = async (values: Pick<MessageTemplate, 'title' | 'body'>): Promise<boolean> => {
    try {
      await send(values);
      await refresh();
      return true;
    } catch (error) {
      const now = statusOf(error) === 409 && (await refresh()).find(({ id }) => id === existing?.id);
      if (!now) throw error;
      setVersion(now.version);
      setIsOverwriting(true);
      return false;
    }
  };
  return { save, isOverwriting };
}
