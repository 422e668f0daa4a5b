import { type Examination, PatientSex, updateExamination } from '@wardline/contract/examinations/examinations.ts';
import { isEditable } from '@wardline/examination/transition.ts';
import { Select } from '@wardline/ui/input/select.tsx';
import { useState } from 'react';
import { useKeepExamination } from '#/features/examinations/core/use-examination.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';

const OPTIONS = [
  { value: '', label: 'Not known' },
  { value: 'female', label: 'Female' },
  { value: 'male', label: 'Male' },
];

interface SexFieldProps {
  readonly examination: Examination;
  /** Something of it waits to be sent: what was stored before that would overtake it. */
  readonly isHeld: boolean;
}

/** Asked where a range of the form hangs on it. */
export function SexField({ examination, isHeld }: SexFieldProps) {
  const call = useCall();
  const keep = useKeepExamination();
  const isOnline = useOnline();
  const { id, version, patient_sex, template, state } = examination;
  const [error, setError] = useState<string | null>(null);
  const set = async (sex: string) => {
    const body = { expected_version: version, patient_sex: PatientSex.safeParse(sex).data ?? null };
    setError(null);
    await call(updateExamination, { params: { examination: id }, body }).then(keep, (failure) =>
      setError(formatAction(failure)),
    );
  };
  const isAsked = template.fields.some(({ ranges }) => ranges?.some(({ sex }) => sex));
  if (!isAsked || !isEditable(state)) return null;
  return (
    <div className="exam-block">
      <Select
        label="Sex, for the ranges"
        options={OPTIONS}
        value={patient_sex ?? ''}
        disabled={!isOnline || isHeld}
        error={error}
        onValueChange={(sex) => void set(sex)}
      />
    </div>
  );
}
