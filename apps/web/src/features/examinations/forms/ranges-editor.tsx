import type { ReferenceRange, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { FORM_RANGES_MAX } from '@wardline/contract/examinations/forms.ts';
import { formatBand } from '@wardline/examination/forms/age-bands.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { FieldNote } from '@wardline/ui/field/field-note.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Plus, X } from 'lucide-react';
import type { Problems } from './form-labels.ts';

interface RangesEditorProps {
  readonly field: TemplateField;
  readonly problems: Problems;
  readonly onChange: (field: TemplateField) => void;
}

/** Between which values a number is normal, and from where on it is critical; for everybody, or by sex and age. */
export function RangesEditor({ field, problems, onChange }: RangesEditorProps) {
  const ranges = field.ranges ?? [];
  const set = (next: readonly ReferenceRange[]) => {
    const { ranges: _before, ...rest } = field;
    onChange(next.length > 0 ? { ...rest, ranges: [...next] } : rest);
  };
  return (
    <fieldset className="stack form-group">
      <legend className="label">Reference ranges</legend>
      {ranges.map((range, index) => (
        <RangeEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: a range has no name, and stands where it is while one types
          key={index}
          {...{ range, number: index + 1 }}
          problems={(place) => problems(`ranges.${index}.${place}`)}
          onChange={(next) => set(ranges.map((other, at) => (at === index ? next : other)))}
          onRemove={() => set(ranges.filter((_other, at) => at !== index))}
        />
      ))}
      <FieldNote id={`${field.code}-ranges`} help={problems('ranges', 'to know')} />
      {ranges.length < FORM_RANGES_MAX && (
        <div>
          <Button
            variant="outline"
            color="neutral"
            size="sm"
            icon={Plus}
            onClick={() => set([...ranges, nextBand(ranges)])}
          >
            Add a range
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** After the first, a range goes on where the last ends. */
function nextBand(ranges: readonly ReferenceRange[]): ReferenceRange {
  const last = ranges.at(-1);
  if (last?.sex === 'female') return { ...last, sex: 'male' };
  return last?.age_to ? { age_from: last.age_to } : {};
}

interface RangeEditorProps {
  readonly range: ReferenceRange;
  readonly number: number;
  readonly problems: Problems;
  readonly onChange: (range: ReferenceRange) => void;
  readonly onRemove: () => void;
}

const LIMITS = [
  ['critical_low', 'Critically low'],
  ['low', 'Low'],
  ['high', 'High'],
  ['critical_high', 'Critically high'],
] as const;

function RangeEditor({ range, number, problems, onChange, onRemove }: RangeEditorProps) {
  const setLimit = (limit: (typeof LIMITS)[number][0], text: string) => {
    const { [limit]: _before, ...rest } = range;
    onChange(text.trim() === '' ? rest : { ...rest, [limit]: text.trim() });
  };
  return (
    <fieldset className="form-range">
      <legend className="sr">
        Range {number}: {formatBand(range)}
      </legend>
      <div className="form-band">
        <Select
          label="For"
          options={[
            { value: '', label: 'Both sexes' },
            { value: 'female', label: 'Female' },
            { value: 'male', label: 'Male' },
          ]}
          value={range.sex ?? ''}
          onValueChange={(sex) => {
            const { sex: _before, ...rest } = range;
            onChange(sex === 'female' || sex === 'male' ? { sex, ...rest } : rest);
          }}
        />
        <AgeField label="From age" age={range.age_from} onChange={(age) => onChange(withAge(range, 'age_from', age))} />
        <AgeField label="Under age" age={range.age_to} onChange={(age) => onChange(withAge(range, 'age_to', age))} />
        <Button
          variant="ghost"
          color="neutral"
          iconOnly
          icon={X}
          label={`Remove range ${number}, ${formatBand(range)}`}
          onClick={onRemove}
        />
      </div>
      <FieldNote id={`range-${number}-band`} error={problems('band')} />
      <div className="form-limits">
        {LIMITS.map(([limit, label]) => (
          <TextInput
            key={limit}
            label={label}
            inputMode="decimal"
            autoComplete="off"
            maxLength={20}
            value={range[limit] ?? ''}
            error={problems(limit)}
            onChange={({ target }) => setLimit(limit, target.value)}
          />
        ))}
      </div>
    </fieldset>
  );
}

type Age = NonNullable<ReferenceRange['age_from']>;

function withAge(range: ReferenceRange, end: 'age_from' | 'age_to', age: Age | undefined): ReferenceRange {
  const { [end]: _before, ...rest } = range;
  return age ? { ...rest, [end]: age } : rest;
}

const UNITS = [
  { value: 'd', label: 'days' },
  { value: 'mo', label: 'months' },
  { value: 'a', label: 'years' },
] as const;

interface AgeFieldProps {
  readonly label: string;
  readonly age: Age | undefined;
  readonly onChange: (age: Age | undefined) => void;
}

function AgeField({ label, age, onChange }: AgeFieldProps) {
  return (
    <div className="form-age">
      <TextInput
        label={label}
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        value={age === undefined ? '' : String(age.value)}
        onChange={({ target }) => {
          const digits = target.value.replaceAll(/\D/g, '');
          onChange(digits === '' ? undefined : { value: Math.min(Number(digits), 60_000), unit: age?.unit ?? 'a' });
        }}
      />
      <Select
        label={`${label} in`}
        isLabelHidden
        options={UNITS}
        value={age?.unit ?? 'a'}
        disabled={age === undefined}
        onValueChange={(unit) => age && onChange({ ...age, unit })}
      />
    </div>
  );
}
