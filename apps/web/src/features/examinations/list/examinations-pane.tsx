import { Button } from '@wardline/ui/button/button.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Pane, PaneHead } from '@wardline/ui/panes/panes.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { FlaskConical, X } from 'lucide-react';
import { ExaminationGone } from '#/features/examinations/core/examination-gone.tsx';
import { useExaminationChanges, useExaminations } from '#/features/examinations/core/use-examination.ts';
import { useBeginnings, useDeliveredMoves } from '#/features/examinations/moving/use-waiting-moves.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { isGone } from '#/shared/errors/is-gone.ts';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { ExaminationLink } from './examination-link.tsx';
import { NewExamination, type NewExaminationProps } from './new-examination.tsx';
import '#/features/examinations/core/examinations.css';

/** The examinations of a chat, and the forms that a new one is begun by. */
export function ExaminationsPane(place: NewExaminationProps) {
  const { facility, chatId, chatPath } = place;
  const { list, examinations } = useExaminations(chatId);
  const begun = useBeginnings(chatId);
  const isOnline = useOnline();
  const { error, refetch } = list;
  useExaminationChanges(chatId);
  useDeliveredMoves(null);
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
        {facility.permissions.includes('examinations.write') && <NewExamination {...place} />}
        <section className="exam-block" aria-label="In this chat">
          <h3>In this chat</h3>
          {examinations?.length === 0 && begun.length === 0 && <p className="muted">None yet.</p>}
          {!examinations && !error && isOnline && <Skeleton shape="rows" count={2} label="Loading the examinations" />}
          {error && !examinations && isOnline && (
            <p className="row">
              <span className="c-error">{formatFailure(error)}</span>
              <Button variant="link" size="sm" onClick={() => void refetch()}>
                Try again
              </Button>
            </p>
          )}
          <ul className="stack">
            {begun.toReversed().map(({ clientId, payload, state }) => (
              <li key={clientId}>
                <ExaminationLink
                  examination={payload.seen}
                  unsent={state === 'failed' ? 'refused' : 'waiting'}
                  timeZone={facility.time_zone}
                />
              </li>
            ))}
            {examinations?.map((examination) => (
              <li key={examination.id}>
                <ExaminationLink examination={examination} timeZone={facility.time_zone} />
              </li>
            ))}
          </ul>
          {!examinations && !isOnline && (
            <p className="muted">{begun.length > 0 ? 'The others show' : 'They show'} when you are back online.</p>
          )}
          <ShowMore list={list} />
        </section>
      </div>
    </Pane>
  );
}
