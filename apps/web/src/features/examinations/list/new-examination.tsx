import { useRouter } from '@tanstack/react-router';
import { isTemporary } from '@wardline/client/http/api-error.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import type { Patient } from '@wardline/contract/chat/chat.ts';
import { createExamination, type ExaminationTemplate } from '@wardline/contract/examinations/examinations.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useRef, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { draftOf } from '#/features/examinations/beginning/begin-payload.ts';
import { TYPE_ICONS } from '#/features/examinations/core/examination-labels.ts';
import { useExaminationTemplates, useKeepExamination } from '#/features/examinations/core/use-examination.ts';
import { laneOf } from '#/features/examinations/moving/move-outbox.ts';
import { useMoveOutbox } from '#/features/examinations/moving/use-waiting-moves.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useAction } from '#/shared/forms/use-action.ts';

export interface NewExaminationProps {
  readonly facility: Facility;
  readonly chatId: string;
  readonly chatPath: string;
  /** Whom the chat is about, as far as this device knows. */
  readonly patient: Patient | null;
  readonly me: { readonly id: string; readonly name: string };
}

/**
 * The forms that an examination can be begun by. A press shows what a form asks for; the draft, which all in the chat see, takes another one
 * (decision 079).
 */
export function NewExamination(props: NewExaminationProps) {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const { data, error } = useExaminationTemplates(props.facility.id);
  const isOnline = useOnline();
  return (
    <section className="exam-block" aria-label="New examination">
      <h3>New examination</h3>
      {!isOnline && (
        <Banner tone="warning">
          {data
            ? 'You are offline. What you begin is kept on this device and sent when you are back online.'
            : 'You are offline, and this device does not know the forms yet. A new examination needs the network.'}
        </Banner>
      )}
      {isOnline && error && !data && <p className="c-error">{formatFailure(error)}</p>}
      {isOnline && !data && !error && <Skeleton shape="rows" count={3} label="Loading the forms" />}
      <ul className="exam-forms">
        {data?.map((template) => {
          const isChosen = template.id === chosenId;
          return (
            <li key={template.id} className={isChosen ? 'is-chosen' : undefined}>
              <Button
                variant="outline"
                color="neutral"
                isFullWidth
                icon={TYPE_ICONS[template.type]}
                aria-expanded={isChosen}
                onClick={() => setChosenId(isChosen ? null : template.id)}
              >
                {template.name}
              </Button>
              {isChosen && <Begin {...props} template={template} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface BeginProps extends NewExaminationProps {
  readonly template: ExaminationTemplate;
}

/** What a form asks for; and begins a draft by it, which opens in the place of this. Without a network that is on this device alone. */
function Begin({ template, facility, chatId, chatPath, patient, me }: BeginProps) {
  const call = useCall();
  const keep = useKeepExamination();
  const { beginnings } = useMoveOutbox();
  const router = useRouter();
  // A press that is repeated after a broken answer finds the draft that it made.
  const clientId = useRef('');
  /** False where it has to wait. */
  const trySend = async (id: string): Promise<boolean> => {
    try {
      const body = { client_id: id, template_id: template.id };
      keep(await call(createExamination, { params: { chat: chatId }, body }));
      return true;
    } catch (error) {
      if (isTemporary(error)) return false;
      throw error;
    }
  };
  const begin = useAction(async () => {
    clientId.current ||= uuidv7();
    const id = clientId.current;
    if (!navigator.onLine || !(await trySend(id))) {
      const [by, at] = [{ user_id: me.id, name: me.name }, new Date(serverNow()).toISOString()];
      const seen = draftOf(template, { id, chatId, facility, patient, by, at });
      await beginnings.add({ clientId: id, lane: laneOf(id), payload: { seen }, writtenAt: new Date().toISOString() });
    }
    clientId.current = '';
    await router.navigate({ to: `${chatPath}/e-${id}` });
  });
  return (
    <section className="exam-begin" aria-label={template.name}>
      <p>{template.fields.map(({ label }) => label).join(', ')}</p>
      <p className="t13 muted">The chat will say that you began it.</p>
      <Button isLoading={begin.isBusy} onClick={begin.run}>
        Begin
      </Button>
      {begin.error && (
        <p className="c-error t13" role="alert">
          {begin.error}
        </p>
      )}
    </section>
  );
}
