import type { TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { Interpretation } from '@wardline/contract/interpretation.ts';
import { COMMON_UNITS } from '@wardline/examination/forms/loinc.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { FieldNote } from '@wardline/ui/field/field-note.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { FLAG_LABELS } from '#/features/examinations/core/examination-labels.ts';
import { changeKind, codeOfLabel, fitsPart } from './form-fields.ts';
import { KIND_NAMES, type Problems } from './form-labels.ts';
import { RangesEditor } from './ranges-editor.tsx';

export interface FieldEditorProps {
  readonly field: TemplateField;
  readonly problems: Problems;
  /** A version of the form has it: its code and its kind stay. */
  readonly isPublished: boolean;
  /** Headings that the form has. */
  readonly sections: readonly string[];
  readonly onRename: (label: string) => void;
  readonly onChange: (field: TemplateField) => void;
}

/** All that is said of one field. */
export function FieldEditor(props: FieldEditorProps) {
  const { field, problems, isPublished, sections, onRename, onChange } = props;
  const set = (change: Partial<TemplateField>) => onChange(without({ ...field, ...change }));
  const sectionsId = useId();
  const isMeasured = field.kind === 'quantity' || field.kind === 'range';
  return (
    <div className="stack stack-4 form-field">
      <div className="form-pair">
        <TextInput
          label="Name"
          autoComplete="off"
          maxLength={120}
          value={field.label}
          help={problems('label', 'to know')}
          error={problems('label')}
          onChange={({ target }) => onRename(target.value)}
        />
        <Select
          label="Asks for"
          options={Object.entries(KIND_NAMES)
            .filter(([kind]) => fitsPart({ ...field, kind: kind as TemplateField['kind'] }, field.part))
            .map(([value, label]) => ({ value: value as TemplateField['kind'], label }))}
          value={field.kind}
          disabled={isPublished || field.news2 !== undefined}
          help={kindHelp(field, isPublished)}
          error={problems('kind') ?? problems('news2')}
          onValueChange={(kind) => onChange(changeKind(field, kind))}
        />
      </div>
      {isMeasured && <UnitField {...{ field, problems }} onChange={onChange} />}
      {isMeasured && <AbsoluteLimits {...{ field, problems }} onChange={onChange} />}
      {field.kind === 'code' && <OptionsEditor {...{ field, problems }} onChange={onChange} />}
      {isMeasured && <RangesEditor {...{ field, problems }} onChange={onChange} />}
      <div className="form-pair">
        <TextInput
          label="Help"
          help="Stands below the field."
          autoComplete="off"
          maxLength={300}
          value={field.help ?? ''}
          onChange={({ target }) => set({ help: target.value })}
        />
        <TextInput
          label="Heading above it"
          help="Fields with the same heading stand together."
          autoComplete="off"
          maxLength={80}
          list={sectionsId}
          value={field.section ?? ''}
          onChange={({ target }) => set({ section: target.value })}
        />
        <datalist id={sectionsId}>
          {sections.map((section) => (
            <option key={section} value={section} />
          ))}
        </datalist>
        <TextInput
          label="LOINC code"
          help="Optional. With it, trends find the same value in other forms."
          autoComplete="off"
          maxLength={20}
          value={field.loinc ?? ''}
          error={problems('loinc')}
          onChange={({ target }) => set({ loinc: target.value.trim() })}
        />
        <TextInput
          label="Code"
          className="mono"
          help={isPublished ? 'Stays, since examinations were recorded by it.' : 'Names the field in files.'}
          autoComplete="off"
          spellCheck={false}
          maxLength={40}
          readOnly={isPublished}
          value={field.code}
          error={problems('code')}
          onChange={({ target }) => set({ code: target.value.trim() })}
        />
      </div>
      <Checkbox
        label="Needed to sign"
        checked={field.is_required === true}
        onChange={({ target }) => set({ is_required: target.checked })}
      />
    </div>
  );
}

function kindHelp({ news2 }: TemplateField, isPublished: boolean): string | undefined {
  if (news2) return 'Stays while NEWS2 is computed of it.';
  return isPublished ? 'Stays. For another kind add a new field.' : undefined;
}

/** What is empty is not there. */
function without(field: TemplateField): TemplateField {
  const { section, help, loinc, is_required, ...rest } = field;
  return {
    ...rest,
    ...(section && { section }),
    ...(help && { help }),
    ...(loinc && { loinc }),
    ...(is_required && { is_required }),
  };
}

interface PartProps extends Pick<FieldEditorProps, 'field' | 'problems' | 'onChange'> {}

const OTHER = 'other';
const NONE = 'none';

function UnitField({ field, problems, onChange }: PartProps) {
  const { unit, ...rest } = field;
  const common = COMMON_UNITS.find(({ code }) => code === unit?.code);
  const isOther = unit !== undefined && !common;
  const isFixed = field.news2 !== undefined;
  return (
    <div className="form-pair">
      <Select
        label="Unit"
        options={[
          { value: NONE, label: 'None' },
          ...COMMON_UNITS.map(({ code, label }) => ({
            value: code,
            label: code === label ? label : `${label} (${code})`,
          })),
          { value: OTHER, label: 'Another unit …' },
        ]}
        value={unit === undefined ? NONE : (common?.code ?? OTHER)}
        disabled={isFixed}
        help={isFixed ? 'Stays while NEWS2 is computed of it.' : problems('unit', 'to know')}
        error={isOther ? undefined : problems('unit')}
        onValueChange={(code) => {
          const chosen = COMMON_UNITS.find((one) => one.code === code);
          if (code === NONE) onChange(rest);
          else onChange({ ...rest, unit: chosen ? { ...chosen } : { code: '', label: '' } });
        }}
      />
      {field.kind === 'quantity' && (
        <Select
          label="Digits after the point"
          options={[
            { value: '', label: 'As entered' },
            ...['0', '1', '2', '3', '4'].map((value) => ({
              value,
              label: value === '0' ? 'None' : `${value} at most`,
            })),
          ]}
          value={field.decimals === undefined ? '' : String(field.decimals)}
          onValueChange={(value) => {
            const { decimals: _decimals, ...others } = field;
            onChange(value === '' ? others : { ...others, decimals: Number(value) });
          }}
        />
      )}
      {isOther && (
        <>
          <TextInput
            label="UCUM code"
            className="mono"
            autoComplete="off"
            spellCheck={false}
            maxLength={60}
            value={unit.code}
            error={problems('unit')}
            onChange={({ target }) => {
              const code = target.value.trim();
              onChange({ ...rest, unit: { code, label: unit.label === unit.code ? code : unit.label } });
            }}
          />
          <TextInput
            label="Written as"
            autoComplete="off"
            maxLength={40}
            value={unit.label}
            onChange={({ target }) => onChange({ ...rest, unit: { ...unit, label: target.value } })}
          />
        </>
      )}
    </div>
  );
}

const ABSOLUTE_LIMITS = [
  ['absolute_low', 'Lowest a patient can have'],
  ['absolute_high', 'Highest a patient can have'],
] as const;

/** Beyond these a number is not taken: 68 for 6.8. */
function AbsoluteLimits({ field, problems, onChange }: PartProps) {
  return (
    <div className="form-pair">
      {ABSOLUTE_LIMITS.map(([limit, label]) => (
        <TextInput
          key={limit}
          label={label}
          help={limit === 'absolute_low' ? 'Optional. Numbers beyond are refused as slips.' : undefined}
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          value={field[limit] ?? ''}
          error={problems(limit)}
          onChange={({ target }) => {
            const { [limit]: _before, ...rest } = field;
            const text = target.value.trim();
            onChange(text === '' ? rest : { ...rest, [limit]: text });
          }}
        />
      ))}
    </div>
  );
}

/** The choices, each with what it means: a flag asks for a decision as a value beyond a critical limit does. */
function OptionsEditor({ field, problems, onChange }: PartProps) {
  const options = field.options ?? [];
  const set = (next: typeof options) => onChange({ ...field, options: next });
  const rename = (index: number, label: string) => {
    const others = options.filter((_other, at) => at !== index).map(({ code }) => code);
    set(
      options.map((option, at) => {
        if (at !== index) return option;
        const follows = option.code === codeOfLabel(option.label, others) || option.code === '';
        return { ...option, label, ...(follows && !field.news2 && { code: codeOfLabel(label, others) }) };
      }),
    );
  };
  return (
    <fieldset className="stack form-group">
      <legend className="label">Choices</legend>
      {options.map((option, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the code of a choice changes with its name as one types
        <div key={index} className="form-option">
          <TextInput
            label={`Choice ${index + 1}`}
            isLabelHidden
            autoComplete="off"
            maxLength={120}
            value={option.label}
            error={problems(`options.${index}.label`)}
            onChange={({ target }) => rename(index, target.value)}
          />
          <TextInput
            label={`Code of choice ${index + 1}`}
            isLabelHidden
            className="mono"
            autoComplete="off"
            spellCheck={false}
            maxLength={60}
            readOnly={field.news2 !== undefined}
            value={option.code}
            error={problems(`options.${index}.code`)}
            onChange={({ target }) =>
              set(options.map((one, at) => (at === index ? { ...one, code: target.value.trim() } : one)))
            }
          />
          <Select
            label={`Flag of choice ${index + 1}`}
            isLabelHidden
            options={[
              { value: '', label: 'No flag' },
              ...Interpretation.options.map((code) => ({ value: code, label: FLAG_LABELS[code] })),
            ]}
            value={option.interpretation ?? ''}
            onValueChange={(flag) => {
              const interpretation = Interpretation.safeParse(flag).data;
              const { interpretation: _before, ...others } = option;
              const next = { ...others, ...(interpretation && { interpretation }) };
              set(options.map((one, at) => (at === index ? next : one)));
            }}
          />
          <Button
            variant="ghost"
            color="neutral"
            iconOnly
            icon={X}
            label={`Remove choice ${option.label || index + 1}`}
            disabled={field.news2 !== undefined}
            onClick={() => set(options.filter((_other, at) => at !== index))}
          />
        </div>
      ))}
      <FieldNote id={`${field.code}-options`} error={problems('options')} />
      {field.news2 === undefined && (
        <div>
          <Button
            variant="outline"
            color="neutral"
            size="sm"
            icon={Plus}
            onClick={() => set([...options, { code: '', label: '' }])}
          >
            Add a choice
          </Button>
        </div>
      )}
    </fieldset>
  );
}
