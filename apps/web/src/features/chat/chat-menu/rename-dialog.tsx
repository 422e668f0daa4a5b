import type { Chat } from '@wardline/contract/chat/chat.ts';
import { CHAT_TITLE_MAX } from '@wardline/contract/chat/chat-management.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId } from 'react';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { useChatChange } from './use-chat-change.ts';

interface RenameDialogProps {
  readonly chat: Chat;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Gives a chat another title. */
export function RenameDialog({ chat, onChanged, onClose }: RenameDialogProps) {
  const formId = useId();
  const isOnline = useOnline();
  const { before, changed, change } = useChatChange({ chat, onChanged });
  const { props, error, isBusy } = useForm({
    names: ['title'],
    required: { title: 'Enter a title.' },
    async send({ title }) {
      if (await change({ title: title.trim() })) onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title="Rename chat"
      description="Everybody in it sees the new title, and who changed it."
      footer={
        changed ? (
          <Button onClick={onClose}>OK</Button>
        ) : (
          <>
            <Button variant="ghost" color="neutral" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" form={formId} disabled={!isOnline} isLoading={isBusy}>
              Rename
            </Button>
          </>
        )
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {changed && <Banner tone="error">{changed} Your title was not saved.</Banner>}
        {error.general && <Banner tone="error">{error.general}</Banner>}
        {!isOnline && <Banner tone="warning">You’re offline. This can be done once you’re back online.</Banner>}
        <TextInput
          label="Title"
          name="title"
          autoComplete="off"
          dir="auto"
          maxLength={CHAT_TITLE_MAX}
          defaultValue={before.title}
          readOnly={changed !== null}
          error={error.fields.title}
        />
      </form>
    </Dialog>
  );
}
