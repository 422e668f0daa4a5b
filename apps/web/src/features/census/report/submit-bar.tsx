import { onServerClock } from '@wardline/client/server-clock.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Check, CheckCheck, Clock, type LucideIcon, TriangleAlert } from 'lucide-react';
import { arithmetic, formatDate, sumOf } from '#/features/census/core/report-labels.ts';
import { timeIn } from '#/shared/time/zoned-time.ts';
import { toReportInput } from './engine/report-draft.ts';
import type { EditorState } from './engine/report-editor.ts';
import { useReport } from './engine/report-view.ts';

/** In the top bar, where there is room: what is kept, and the one button. */
export function SubmitTop() {
  const { isEditable } = useReport();
  return isEditable ? (
    <span className="row row-3 only-desk">
      <SavedStatus />
      <SubmitButton />
    </span>
  ) : null;
}

function SavedStatus() {
  const { state } = useReport();
  const said = formatSavedStatus(state);
  return (
    <span className="t13 muted row row-1 saved-words" role="status">
      {said && (
        <>
          <Icon of={said.glyph} size="sm" />
          {said.text}
        </>
      )}
    </span>
  );
}

/** How far what is typed got. */
function formatSavedStatus({ saved, day, refusal, unsent }: EditorState): { glyph: LucideIcon; text: string } | null {
  if (unsent && unsent.state !== 'failed') return { glyph: Clock, text: 'Submitted on this device' };
  if (refusal !== null) return { glyph: TriangleAlert, text: 'Not saved' };
  if (saved === null) return null;
  const at = timeIn(day.time_zone, onServerClock(saved.at));
  return saved.on === 'server'
    ? { glyph: CheckCheck, text: `Draft saved ${at}` }
    : { glyph: Check, text: `Kept on this device ${at}` };
}

function SubmitButton({ isLarge = false }: { isLarge?: boolean }) {
  const { state, submit, isBusy } = useReport();
  const { day } = state;
  return (
    <Button
      size={isLarge ? 'xl' : 'md'}
      isLoading={isBusy}
      aria-keyshortcuts="Control+Enter"
      data-submit=""
      onClick={submit}
    >
      Submit {formatDate(day.census_date, day.time_zone)}
    </Button>
  );
}

/** On the phone, over the bottom bar: the closing and what is kept in view while the sheet scrolls, and the one button. */
export function SubmitBar() {
  const { state, isEditable } = useReport();
  const { opening, counts } = toReportInput(state.draft, state.day);
  const sum = sumOf(opening, counts);
  const present = sum.closing === null || counts.on_leave === null ? null : sum.closing - counts.on_leave;
  const agrees = present !== null && counts.counted === present;
  return (
    <section className="submit-bar only-phone" aria-label="Submit">
      <div className="grow">
        <span className="t12 muted num">{arithmetic(sum)}</span>
        <p className="row row-1 num">
          <b className="t20">{sum.closing ?? '–'}</b>
          {counts.counted !== null && (
            <span className={`t13 medium row row-1 ${agrees ? 'c-success' : 'c-warning'}`}>
              <Icon of={agrees ? Check : TriangleAlert} size="sm" />
              counted {counts.counted}
            </span>
          )}
        </p>
      </div>
      {isEditable && <SubmitButton isLarge />}
      <SavedStatus />
    </section>
  );
}
