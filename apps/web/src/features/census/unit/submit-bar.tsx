import { Button } from '@wardline/ui/button/button.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Check, CheckCheck, TriangleAlert } from 'lucide-react';
import { timeIn } from '#/page/zoned-time.ts';
import { factsOf } from './report-draft.ts';
import { useReport } from './report-view.ts';
import { arithmetic, dateWords, sumOf } from './report-words.ts';

/** In the top bar, where there is room: what is kept, and the one button. */
export function SubmitTop() {
  const { isEditable } = useReport();
  return isEditable ? (
    <span className="row row-3 only-desk">
      <SavedWords />
      <SubmitButton />
    </span>
  ) : null;
}

function SavedWords() {
  const { state } = useReport();
  const { saved, day } = state;
  return (
    <span className="t13 muted row row-1" role="status">
      {saved && (
        <>
          <Icon of={saved.on === 'server' ? CheckCheck : Check} size="sm" />
          {saved.on === 'server' ? 'Draft saved' : 'Kept on this device'} {timeIn(day.time_zone, saved.at)}
        </>
      )}
    </span>
  );
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
      Submit {dateWords(day.census_date, day.time_zone)}
    </Button>
  );
}

/** On the phone, over the bottom bar: the closing in view while the sheet scrolls, and the one button. */
export function SubmitBar() {
  const { state, isEditable } = useReport();
  const { opening, counts } = factsOf(state.draft, state.day);
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
    </section>
  );
}
