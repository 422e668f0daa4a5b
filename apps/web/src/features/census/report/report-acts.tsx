import { statusOf } from '@wardline/client/http/api-error.ts';
import type { ReasonCode } from '@wardline/contract/census/census.ts';
import {
  amendUnitDay,
  approveUnitDay,
  returnUnitDay,
  type UnitDay,
  withdrawUnitDay,
} from '@wardline/contract/census/unit.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useRef, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { approveLabel, CorrectionNotice } from '#/features/census/core/correction-notice.tsx';
import { formatDate } from '#/features/census/core/report-labels.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { formatAct } from './act-labels.ts';
import { useReport } from './engine/report-view.ts';
import { placeOf, useTellReports } from './engine/use-reports.ts';

const ReasonDialog = lazyPart(async () => (await import('./reason-dialog.tsx')).ReasonDialog, {
  onMissing: closeMissing,
});

type Question = 'return' | 'amend';

/** What may be done with a report that is handed in: take it back, give it back, approve it, open it again. */
export function ReportActs() {
  const { state } = useReport();
  const { day } = state;
  const acts = useReportActs(day);
  const [question, setQuestion] = useState<Question | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const date = formatDate(day.census_date, day.time_zone);
  const run = async (name: 'withdraw' | 'approve') => {
    if (busy) return;
    setBusy(name);
    setError(null);
    try {
      await acts[name]();
    } catch (error) {
      setError(formatAct(error));
    } finally {
      setBusy(null);
    }
  };
  const { may } = day;
  if (state.unsent || !(may.withdraw || may.return || may.approve || may.amend)) return null;
  return (
    <section className="stack" aria-label="Actions on this report">
      {error && <Banner tone="error">{error}</Banner>}
      {may.approve && <CorrectionNotice amendment={day.amendment} restates={day.restates} />}
      <div className="row wrap">
        {may.withdraw && (
          <Button
            variant="outline"
            color="neutral"
            isLoading={busy === 'withdraw'}
            onClick={() => void run('withdraw')}
          >
            Withdraw
          </Button>
        )}
        {may.amend && (
          <Button variant="outline" color="neutral" onClick={() => setQuestion('amend')}>
            Amend
          </Button>
        )}
        {may.return && (
          <Button variant="outline" color="neutral" onClick={() => setQuestion('return')}>
            Return
          </Button>
        )}
        {may.approve && (
          <Button
            disabled={Boolean(day.restates?.ask)}
            isLoading={busy === 'approve'}
            onClick={() => void run('approve')}
          >
            {approveLabel(date, day.restates)}
          </Button>
        )}
      </div>
      {question && (
        <ReasonDialog
          {...QUESTIONS[question]}
          title={`${question === 'return' ? 'Return' : 'Amend'} ${day.unit_code}, ${date}`}
          onGiven={acts[question]}
          onClose={() => setQuestion(null)}
        />
      )}
    </section>
  );
}

const QUESTIONS = {
  return: {
    description: 'The unit gets it back with your comment and a discussion to answer in.',
    label: 'What needs checking?',
    button: 'Return it',
    hasCode: false,
  },
  amend: {
    description: 'It is opened for a correction. Every later day whose opening moves is marked as restated.',
    label: 'Why is it changed?',
    button: 'Open for correction',
    hasCode: true,
  },
} as const;

function useReportActs(day: UnitDay) {
  const call = useCall();
  const { editor } = useReport();
  const { took, refresh } = useTellReports(day.facility_id);
  // One id for an act on a version: pressed again after a lost answer, it is the same act.
  const made = useRef(new Map<string, string>());
  const params = { unit: day.unit_id, date: day.census_date, population: day.population };
  const idOf = (name: string): string => {
    const key = `${name} ${day.version}`;
    const known = made.current.get(key) ?? uuidv7();
    made.current.set(key, known);
    return known;
  };
  const act = async (name: string, ask: (given: { client_id: string; version: number }) => Promise<UnitDay>) => {
    try {
      const next = await ask({ client_id: idOf(name), version: day.version });
      editor.take(next);
      took(next);
    } catch (error) {
      if (statusOf(error) === 409) refresh(placeOf(day));
      throw error;
    }
  };
  return {
    withdraw: () => act('withdraw', (body) => call(withdrawUnitDay, { params, body })),
    async approve() {
      await act('approve', (body) => call(approveUnitDay, { params, body }));
      sayDone(`${day.unit_code} is approved`);
    },
    return: (reason: string) => act('return', (given) => call(returnUnitDay, { params, body: { ...given, reason } })),
    amend: (reason: string, reason_code: ReasonCode) =>
      act('amend', (given) => call(amendUnitDay, { params, body: { ...given, reason, reason_code } })),
  };
}
