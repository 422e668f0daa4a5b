import { useRouter } from '@tanstack/react-router';
import { createExamination, type ExaminationTemplate } from '@wardline/contract/examinations/examinations.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Pane, PaneHead } from '@wardline/ui/panes/panes.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { FlaskConical, X } from 'lucide-react';
import { useRef } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { ExaminationGone } from '#/features/examinations/core/examination-gone.tsx';
import { TYPE_ICONS } from '#/features/examinations/core/examination-labels.ts';
import {
  useExaminationChanges,
  useExaminations,
  useExaminationTemplates,
  useKeepExamination,
} from '#/features/examinations/core/use-examination.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { isGone } from '#/shared/errors/is-gone.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { ExaminationLink } from './examination-link.tsx';
import '#/features/examinations/core/examinations.css';

interface ExaminationsPaneProps {
  readonly facility: Facility;
  readonly chatId: string;
  readonly chatPath: string;
}

/** The examinations of a chat, and the forms that a new one is begun by. */
export function ExaminationsPane({ facility, chatId, chatPath }: ExaminationsPaneProps) {
  const { list, examinations } = useExaminations(chatId);
  const { error, refetch } = list;
  useExaminationChanges(chatId);
  if (isGone(error)) return <ExaminationGone chatPath={chatPath} />;
  return (
    <Pane name="detail" label="Examinations">
      <PaneHead
        title="Examinations"
        leading={<Icon of={FlaskConical} size="lg" />}
        back={{ href: chatPath, label: 'Back to the chat' }}
        actions={
          <span className="only-desk">
            <Button asChild variant="ghost" color="neutral" iconOnly icon={X} label="Close examinations">
              <Link href={chatPath} />
            </Button>
          </span>
        }
      />
      <div className="pane-scroll exam">
        {facility.permissions.includes('examinations.write') && <NewExamination {...{ facility, chatId, chatPath }} />}
        <section className="exam-block" aria-label="In this chat">
          <h3>In this chat</h3>
          {examinations?.length === 0 && <p className="muted">None yet.</p>}
          {!examinations && !error && <Skeleton shape="rows" count={2} label="Loading the examinations" />}
          {error && !examinations && (
            <p className="row">
              <span className="c-error">{formatFailure(error)}</span>
              <Button variant="link" size="sm" onClick={() => void refetch()}>
                Try again
              </Button>
            </p>
          )}
          <ul className="stack">
            {examinations?.map((examination) => (
              <li key={examination.id}>
                <ExaminationLink examination={examination} />
              </li>
            ))}
          </ul>
          <ShowMore list={list} />
        </section>
      </div>
    </Pane>
  );
}

/** Begins a draft by a form, and opens it in the place of this. */
function NewExamination({ facility, chatId, chatPath }: ExaminationsPaneProps) {
  const { data, error } = useExaminationTemplates(facility.id);
  const isOnline = useOnline();
  return (
    <section className="exam-block" aria-label="New examination">
      <h3>New examination</h3>
      {!isOnline && <Banner tone="warning">You are offline. A new examination needs the network.</Banner>}
      {error && !data && <p className="c-error">{formatFailure(error)}</p>}
      {!data && !error && <Skeleton shape="rows" count={3} label="Loading the forms" />}
      <ul className="exam-forms">
        {data?.map((template) => (
          <li key={template.id}>
            <Begin {...{ template, chatId, chatPath, isOnline }} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface BeginProps extends Pick<ExaminationsPaneProps, 'chatId' | 'chatPath'> {
  readonly template: ExaminationTemplate;
  readonly isOnline: boolean;
}

function Begin({ template, chatId, chatPath, isOnline }: BeginProps) {
  const call = useCall();
  const keep = useKeepExamination();
  const router = useRouter();
  // A press that is repeated after a broken answer finds the draft that it made.
  const clientId = useRef('');
  const begin = useAction(async () => {
    clientId.current ||= uuidv7();
    const body = { client_id: clientId.current, template_id: template.id };
    const made = await call(createExamination, { params: { chat: chatId }, body });
    keep(made);
    await router.navigate({ to: `${chatPath}/e-${made.id}` });
  });
  return (
    <>
      <Button
        variant="outline"
        color="neutral"
        isFullWidth
        icon={TYPE_ICONS[template.type]}
        isLoading={begin.isBusy}
        disabled={!isOnline}
        onClick={begin.run}
      >
        {template.name}
      </Button>
      {begin.error && (
        <p className="c-error t13" role="alert">
          {begin.error}
        </p>
      )}
    </>
  );
}
