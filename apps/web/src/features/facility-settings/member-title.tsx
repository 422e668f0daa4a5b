import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { type Member, setMemberTitle } from '@wardline/contract/facilities/members.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { useForm } from '#/shared/forms/use-form.ts';

interface MemberTitleProps {
  readonly facility: Facility;
  readonly member: Member;
  readonly afterChange: () => Promise<unknown>;
}

/** What somebody is in a facility, as colleagues read it beside the name; an empty one takes it away. */
export function MemberTitle({ facility, member, afterChange }: MemberTitleProps) {
  const call = useConfirmedCall();
  const [saved, setSaved] = useState(member.title ?? '');
  const [title, setTitle] = useState(saved);
  const { props, error, isBusy } = useForm({
    names: ['title'],
    async send() {
      const params = { facility: facility.id, user: member.user_id };
      const changed = await call(setMemberTitle, { params, body: { title: title.trim() === '' ? null : title } });
      setSaved(changed.title ?? '');
      setTitle(changed.title ?? '');
      await afterChange();
      sayDone('Title saved');
    },
  });
  return (
    <form className="stack stack-3" {...props}>
      {error.general && <Banner tone="error">{error.general}</Banner>}
      <TextInput
        label="Title"
        name="title"
        maxLength={80}
        autoComplete="off"
        value={title}
        help="What the person is here: 'Staff nurse, MED 3A'. Optional."
        error={error.fields.title}
        onChange={(event) => setTitle(event.target.value)}
      />
      {title.trim() !== saved && (
        <Button type="submit" variant="outline" color="neutral" isLoading={isBusy}>
          Save title
        </Button>
      )}
    </form>
  );
}
