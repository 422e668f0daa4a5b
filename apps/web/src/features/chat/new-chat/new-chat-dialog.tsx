import { useRouter } from '@tanstack/react-router';
import { ApiError } from '@wardline/client/http/api-error.ts';
import { createChat } from '@wardline/contract/chat/chat-management.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { type FormEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { v7 as uuidv7 } from 'uuid';
import { chatPath } from '#/features/chat/core/chat-paths.ts';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { showFirstError } from '#/shared/forms/show-first-error.ts';
import { NewChatFields } from './new-chat-fields.tsx';
import {
  createChatBody,
  errorFor,
  keepErrors,
  type NewChatErrors,
  type NewChatForm,
  whatIsMissing,
} from './new-chat-input.ts';
import { useSameCase } from './use-same-case.ts';

interface NewChatDialogProps {
  readonly facilities: readonly Facility[];
  readonly facilityId: string | undefined;
  readonly me: Person;
  readonly onClose: () => void;
}

/** Opens a case or a group chat, and then shows it. */
export function NewChatDialog({ facilities, facilityId, me, onClose }: NewChatDialogProps) {
  const call = useCall();
  const router = useRouter();
  const formId = useId();
  // One id for every attempt: a repeat after a lost answer finds the chat that was made.
  const clientId = useRef(uuidv7());
  const [form, setForm] = useState<NewChatForm>(() => emptyForm(facilities, facilityId));
  const [error, setError] = useState<NewChatErrors>({});
  const [isBusy, setIsBusy] = useState(false);

  const same = useSameCase(form);
  const element = useRef<HTMLFormElement>(null);

  const change = (next: NewChatForm) => {
    setError(keepErrors(error, form, next));
    setForm(next);
  };
  /** Whoever pressed has scrolled past the fields, to the people. */
  const say = (found: NewChatErrors) => {
    flushSync(() => setError(found));
    showFirstError(element.current);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const missing = whatIsMissing(form);
    say(missing);
    if (isBusy || Object.keys(missing).length > 0) return;
    setIsBusy(true);
    if (same.cases.length === 0 && (await same.ask()).length > 0) return setIsBusy(false);
    try {
      const body = createChatBody(form, clientId.current);
      const chat = await call(createChat, { params: { facility: form.facilityId }, body });
      onClose();
      await router.navigate({ href: chatPath(chat) });
    } catch (error) {
      say(errorFor(error instanceof ApiError ? error.fieldErrors : {}, formatFailure(error)));
      setIsBusy(false);
    }
  };

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      size="lg"
      title="New chat"
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            {same.cases.length > 0 ? 'Start a second case' : 'Start chat'}
          </Button>
        </>
      }
    >
      <form ref={element} id={formId} className="stack stack-4" noValidate onSubmit={(event) => void submit(event)}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        <NewChatFields
          form={form}
          error={error}
          facilities={facilities}
          myId={me.id}
          sameCases={same.cases}
          onOpenSame={onClose}
          onChange={change}
        />
      </form>
    </Dialog>
  );
}

function emptyForm(facilities: readonly Facility[], wantedId: string | undefined): NewChatForm {
  const facilityId = (facilities.find(({ id }) => id === wantedId) ?? facilities[0])?.id ?? '';
  return { facilityId, kind: 'case', title: '', patientName: '', identifier: '', bornOn: '', bed: '', people: [] };
}
