import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { createInvitation } from '@wardline/contract/facilities/invitations.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useIsMailSent } from '#/shared/contexts/page-config.ts';
import { CopyOnce } from '#/shared/forms/copy-once.tsx';
import { useForm } from '#/shared/forms/use-form.ts';
import { useQueryClient } from '#/shared/queries/use-query.ts';
import { invitationLink } from './invitation-labels.ts';
import { invitationsKey } from './invitation-queries.ts';
import { RoleBoxes } from './role-boxes.tsx';

interface InviteDialogProps {
  readonly facility: Facility;
  readonly onClose: () => void;
}

/** Makes an invitation and shows its link, which is never shown again. */
export function InviteDialog({ facility, onClose }: InviteDialogProps) {
  const call = useCall();
  const queries = useQueryClient();
  const isMailSent = useIsMailSent();
  const formId = useId();
  const [link, setLink] = useState<string | null>(null);
  const { props, error, isBusy } = useForm({
    names: ['note', 'title', 'role_ids'],
    async send({ note, title }, data) {
      const { token } = await call(createInvitation, {
        params: { facility: facility.id },
        body: {
          role_ids: data.getAll('role_ids').map(String),
          note: note.trim() === '' ? null : note,
          title: title.trim() === '' ? null : title,
        },
      });
      setLink(invitationLink(location.origin, token));
      await queries.invalidateQueries({ queryKey: invitationsKey(facility.id) });
    },
  });
  const frame = { open: true, onOpenChange: (isOpen: boolean) => !isOpen && onClose(), closesOutside: false } as const;
  if (link !== null) {
    return (
      <Dialog
        {...frame}
        title="The invitation is ready"
        description="Share this link; it is shown once. It works for one person and lasts 7 days."
        footer={<Button onClick={onClose}>Done</Button>}
      >
        <CopyOnce label="Link" text={link} />
      </Dialog>
    );
  }
  return (
    <Dialog
      {...frame}
      title={`Invite a colleague to ${facility.name}`}
      description="You get a link. Anyone with this link joins with these roles."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            Create link
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        {!isMailSent && (
          <Banner tone="warning" title="No mail server is set.">
            Only people with an account can join: whoever signs up must open a link in an email, which reaches no one.
          </Banner>
        )}
        <TextInput
          label="Note"
          name="note"
          maxLength={120}
          autoComplete="off"
          help="Optional. Shown only in this list: who the link is for."
          error={error.fields.note}
        />
        <TextInput
          label="Title"
          name="title"
          maxLength={80}
          autoComplete="off"
          help="What the person is here: 'Staff nurse, MED 3A'. Optional."
          error={error.fields.title}
        />
        <RoleBoxes facility={facility} error={error.fields.role_ids} />
      </form>
    </Dialog>
  );
}
