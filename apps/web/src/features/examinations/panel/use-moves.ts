import { statusOf } from '@wardline/client/http/api-error.ts';
import type { CriticalDecision } from '@wardline/contract/chat/critical.ts';
import {
  acknowledgeReport,
  type Examination,
  type ExaminationState,
  moveExamination,
} from '@wardline/contract/examinations/examinations.ts';
import { useKeepExamination } from '#/features/examinations/core/use-examination.ts';
import { sendable } from '#/features/examinations/entering/typed-values.ts';
import type { ExaminationForm } from '#/features/examinations/entering/use-examination-form.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { refusal } from '#/shared/errors/refusal.ts';
import { useQueryClient } from '#/shared/queries/use-query.ts';

export interface Moves {
  /** Moves it on; rejects with why it did not. */
  move(to: ExaminationState, reason?: string): Promise<void>;
  /** Signs what is stored and typed; rejects where it is refused, with the fields marked that are the reason. */
  sign(reason?: string, critical?: CriticalDecision): Promise<void>;
  acknowledge(): Promise<void>;
}

/** What can be done with an examination as a whole, always at the version that is shown. */
export function useMoves(examination: Examination, form: ExaminationForm): Moves {
  const call = useCall();
  const keep = useKeepExamination();
  const queries = useQueryClient();
  const params = { examination: examination.id };
  const queryKey = ['examination', examination.id];
  const latest = () => queries.getQueryData<Examination>(queryKey) ?? examination;

  /** Who was overtaken sees how it stands now, and why nothing happened. */
  const told = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      form.refuse(error);
      if (statusOf(error) === 409) await queries.refetchQueries({ queryKey });
      throw error;
    }
  };
  return {
    async move(to, reason) {
      if (!(await form.save())) throw refusal({ entries: form.blocked() ?? 'What you typed is not saved yet.' });
      const body = { to, expected_version: latest().version, ...(reason === undefined ? {} : { reason }) };
      keep(await told(call(moveExamination, { params, body })));
    },
    async sign(reason, critical) {
      await form.save();
      const blocked = form.blocked();
      if (blocked !== null) throw refusal({ entries: blocked });
      const { template, report_version, version } = latest();
      const entries = sendable(template.fields, form.now())?.entries ?? [];
      const to = report_version > 0 ? 'amended' : 'reported';
      const why = { ...(reason === undefined ? {} : { reason }), ...(critical === undefined ? {} : { critical }) };
      const body = { to, expected_version: version, entries, ...why } as const;
      keep(await told(call(moveExamination, { params, body })));
      form.discard();
    },
    async acknowledge() {
      const { report_version: version } = latest();
      await told(call(acknowledgeReport, { params, body: { version, is_acknowledged: true } }));
      await queries.refetchQueries({ queryKey });
      await queries.invalidateQueries({ queryKey: ['examinations', examination.chat_id] });
    },
  };
}
