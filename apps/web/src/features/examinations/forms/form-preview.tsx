import type { Examination, PatientSex, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import type { FormDefinition } from '@wardline/contract/examinations/forms.ts';
import { isDecimal } from '@wardline/examination/decimal.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { useState } from 'react';
import { FindingsForm } from '#/features/examinations/entering/findings-form.tsx';
import { mergedEntries, shownEntry, type TypedValues } from '#/features/examinations/entering/typed-values.ts';
import type { ExaminationForm } from '#/features/examinations/entering/use-examination-form.ts';
import { News2Panel } from '#/features/examinations/report/news2-panel.tsx';
import { RealtimeContext } from '#/shared/contexts/realtime-context.ts';
import { inOrder } from './form-fields.ts';
import '#/features/examinations/core/examinations.css';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const NEVER = '2026-01-01T00:00:00.000Z';
const nobody = { by: { user_id: NOBODY, name: '' }, at: NEVER };

type AgeUnit = 'a' | 'mo' | 'd';
const AGE_UNITS = [
  { value: 'a', label: 'years' },
  { value: 'mo', label: 'months' },
  { value: 'd', label: 'days' },
] as const;

interface FormPreviewProps {
  readonly definition: FormDefinition;
  /** Of the facility, YYYY-MM-DD. */
  readonly today: string;
}

/** The form as who enters values has it, to be tried. What is typed stands here alone and is gone with the page. */
export function FormPreview({ definition, today }: FormPreviewProps) {
  const [typed, setTyped] = useState<TypedValues>({});
  const [sex, setSex] = useState<PatientSex | ''>('female');
  const [age, setAge] = useState('40');
  const [unit, setUnit] = useState<AgeUnit>('a');
  const subject: Subject = { sex: sex || null, bornOn: bornOn(today, age, unit), day: today };
  const examination = toExamination(definition);
  const { fields } = examination.template;
  const form: ExaminationForm = {
    ...{ examination, typed, problems: {}, error: null, inTheWay: null, isSaving: false },
    now: () => typed,
    // In whatever unit the field has: who writes the form changes that while a value stands there.
    type: (field, change) =>
      setTyped((before) => ({ ...before, [field]: { ...shownEntry(field, before, []), ...change, base: 1 } })),
    ...{ placeless: [], discardPlaceless: () => undefined },
    entries: () => mergedEntries(fields, typed, []),
    save: async () => true,
    blocked: () => null,
    decide: () => undefined,
    discard: () => setTyped({}),
    ...{ leave: () => undefined, restore: () => undefined },
    refuse: () => false,
  };
  return (
    <>
      <div className="form-trial">
        <Select
          label="Sex"
          options={[
            { value: '', label: 'Not known' },
            { value: 'female', label: 'Female' },
            { value: 'male', label: 'Male' },
          ]}
          value={sex}
          onValueChange={(next) => setSex(next === 'female' || next === 'male' ? next : '')}
        />
        <TextInput
          label="Age"
          inputMode="numeric"
          autoComplete="off"
          maxLength={5}
          value={age}
          onChange={({ target }) => setAge(target.value)}
        />
        <Select label="Age in" options={AGE_UNITS} value={unit} onValueChange={setUnit} />
        <Button variant="ghost" color="neutral" size="sm" onClick={() => setTyped({})}>
          Clear
        </Button>
      </div>
      {fields.length === 0 ? (
        <p className="exam-block muted">Nothing to enter yet. Add a field.</p>
      ) : (
        <>
          <News2Panel {...{ examination, subject }} entries={form.entries()} urgent={() => null} />
          {/* Nobody else is in what is tried here. */}
          <RealtimeContext value={null}>
            <FindingsForm {...{ examination, subject, form }} myId={NOBODY} />
          </RealtimeContext>
        </>
      )}
    </>
  );
}

/** When somebody of this age was born; null where it is no age. */
export function bornOn(today: string, age: string, unit: AgeUnit): string | null {
  if (!/^\d{1,5}$/.test(age.trim())) return null;
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number);
  const value = Number(age);
  const months = unit === 'a' ? value * 12 : unit === 'mo' ? value : 0;
  const born = new Date(Date.UTC(year, month - 1 - months, day - (unit === 'd' ? value : 0)));
  return born.getUTCFullYear() > 0 ? born.toISOString().slice(0, 10) : null;
}

/** What can be drawn of a form that is not finished: each code once, and limits that are numbers. */
function toExamination(definition: FormDefinition): Examination {
  const { name, type } = definition;
  const fields = inOrder(definition.fields).flatMap((field, index, all): TemplateField[] => {
    const isFirst = all.findIndex(({ code }) => code === field.code) === index;
    return isFirst && field.label.trim() !== '' ? [drawable(field)] : [];
  });
  return {
    ...{ id: NOBODY, chat_id: NOBODY, facility_id: NOBODY, type, title: name, state: 'draft', version: 1 },
    ...{
      report_version: 0,
      critical: [],
      must_acknowledge: false,
      updated_at: NEVER,
      patient: null,
      patient_sex: null,
    },
    template: { ...definition, id: NOBODY, version: 1, fields },
    ...{ created: nobody, requested: null, reason: null, entries: [] },
    my: { can_write: false, can_sign: false, can_mark_in_error: false, read_version: 0, acknowledged_version: 0 },
  };
}

function drawable({ options, ranges, absolute_low, absolute_high, ...field }: TemplateField): TemplateField {
  const isNumber = (limit: string | undefined) => limit === undefined || isDecimal(limit);
  return {
    ...field,
    ...(absolute_low !== undefined && isDecimal(absolute_low) && { absolute_low }),
    ...(absolute_high !== undefined && isDecimal(absolute_high) && { absolute_high }),
    ...(options && { options: options.filter(({ code }, at) => options.findIndex((one) => one.code === code) === at) }),
    ...(ranges && {
      ranges: ranges.filter(({ low, high, critical_low, critical_high }) =>
        [low, high, critical_low, critical_high].every(isNumber),
      ),
    }),
  };
}
