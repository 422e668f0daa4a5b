import {
  Comparison,
  type Examination,
  type StoredEntry,
  type TemplateField,
} from '@wardline/contract/examinations/examinations.ts';
import { Interpretation } from '@wardline/contract/interpretation.ts';
import { entryError, formatError, interpret, isInterpreted, unitError } from '@wardline/examination/entry.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { classNames } from '@wardline/ui/class-names.ts';
import { FieldNote } from '@wardline/ui/field/field-note.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { ChevronsUpDown } from 'lucide-react';
import { Fragment, useId, useState } from 'react';
import {
  bySection,
  COMPARISON_LABELS,
  FLAG_LABELS,
  formatRangeOf,
  formatValue,
} from '#/features/examinations/core/examination-labels.ts';
import { Flag, rowClass } from '#/features/examinations/core/flag.tsx';
import { formatSpo2Flag, Spo2Flag, spo2ByScale } from '#/features/examinations/core/spo2-by-scale.tsx';
import { FieldEditors, useFieldEditors } from './field-editors.tsx';
import { canMark, RegionsField } from './regions-field.tsx';
import { mergedEntries, shownEntry } from './typed-values.ts';
import type { ExaminationForm } from './use-examination-form.ts';

interface FindingsFormProps {
  readonly examination: Examination;
  readonly subject: Subject;
  readonly form: ExaminationForm;
  readonly myId: string;
}

interface FormProps extends FindingsFormProps {
  readonly editors: ReturnType<typeof useFieldEditors>;
  /** What a value that was typed means, or what is wrong with it, for who does not see it beside the field. */
  readonly onSay: (said: string) => void;
}

/**
 * The form of an examination: what was asked, then for each heading a row for each value and its texts, then what is said in the end. Flags
 * stand as one types.
 */
export function FindingsForm(given: FindingsFormProps) {
  const editors = useFieldEditors(given.examination);
  const [said, onSay] = useState('');
  const props = { ...given, editors, onSay };
  const { fields } = props.examination.template;
  const ofPart = (part: TemplateField['part']) => fields.filter((field) => field.part === part);
  return (
    <div {...editors.around}>
      <p className="sr" role="status">
        {said}
      </p>
      {bySection(ofPart('request')).map(({ section, fields: own }) => (
        <Texts key={section} {...props} section={section} texts={own} />
      ))}
      {bySection(ofPart('finding')).map(({ section, fields: own }) => {
        const rows = own.filter(({ kind }) => kind !== 'text');
        const texts = own.filter(({ kind }) => kind === 'text');
        return (
          <Fragment key={section}>
            {section !== '' && <h3 className="exam-section">{section}</h3>}
            {rows.length > 0 && (
              <div className="scroll-x">
                <table className="table exam-table">
                  <caption className="sr">{section || 'Findings'}</caption>
                  <FindingsHead />
                  <tbody>
                    {rows.map((field) => (
                      <ValueRow key={field.code} field={field} {...props} />
                    ))}
                  </tbody>
                </table>
              </div>
            )}
            <Texts {...props} section="" texts={texts} />
          </Fragment>
        );
      })}
      {bySection(ofPart('report')).map(({ section, fields: own }) => (
        <Texts key={section} {...props} section={section} texts={own} />
      ))}
    </div>
  );
}

function Texts({
  section,
  texts,
  ...props
}: FormProps & { readonly section: string; readonly texts: readonly TemplateField[] }) {
  return (
    <>
      {section !== '' && <h3 className="exam-section">{section}</h3>}
      {texts.map((field) => (
        <TextField key={field.code} field={field} {...props} />
      ))}
    </>
  );
}

export function FindingsHead() {
  return (
    <thead>
      <tr>
        <th scope="col">Finding</th>
        <th scope="col" className="n">
          Value
        </th>
        <th scope="col">Unit</th>
        <th scope="col" className="n">
          Range
        </th>
        <th scope="col">Flag</th>
      </tr>
    </thead>
  );
}

interface FieldProps extends FormProps {
  readonly field: TemplateField;
}

/** Who else is in a field: a line beside its label, which its control names. */
function useEditors({ field, editors, myId }: FieldProps, isShort = false) {
  const id = useId();
  const people = editors.of(field.code);
  const isEdited = people.length > 0;
  return {
    editedClass: isEdited && 'exam-edited',
    editorsId: isEdited ? id : undefined,
    line: isEdited && <FieldEditors {...{ id, people, myId, isShort }} />,
  };
}

/** What is wrong with a field as it stands, or was said of it; while it is typed, only how: 1 may become 140. */
function useProblem({ field, form }: FieldProps, value: string, isBeingTyped = false): string | null {
  const typed = form.typed[field.code];
  const errorOf = isBeingTyped ? formatError : entryError;
  const ownError = () => unitErrorOf(field, form) ?? errorOf(field, value.trim());
  return form.problems[field.code]?.text ?? (typed ? ownError() : null);
}

function unitErrorOf(field: TemplateField, { typed }: ExaminationForm): string | null {
  const entry = typed[field.code];
  return entry ? unitError(field, { value: entry.value.trim(), unit: entry.as?.unit }) : null;
}

function ValueRow(props: FieldProps) {
  const { field, form, examination, subject } = props;
  const id = useId();
  const { value } = shownEntry(field.code, form.typed, examination.entries);
  const [isBeingTyped, setIsBeingTyped] = useState(false);
  const problem = useProblem(props, value, isBeingTyped);
  const { editedClass, editorsId, line } = useEditors(props, true);
  const flag = unitErrorOf(field, form) === null ? interpret(field, value.trim(), subject) : null;
  const flagged = flag === null || flag === 'N' ? null : FLAG_LABELS[flag];
  const { fields } = examination.template;
  const hasNote = problem !== null || Boolean(field.help);
  const byScale = spo2ByScale(field, fields, {
    entries: mergedEntries(fields, form.typed, examination.entries),
    subject,
  });
  const wired = {
    id,
    'aria-describedby': classNames(editorsId, `${id}-note`),
    ...(problem === null ? {} : { 'aria-invalid': true as const }),
  };
  return (
    <>
      <tr className={classNames(rowClass(flag), editedClass, hasNote && 'has-note')} data-field={field.code}>
        <th scope="row">
          <label htmlFor={id}>{field.label}</label>
          {line}
        </th>
        {field.kind === 'code' || field.kind === 'boolean' ? (
          <td colSpan={3}>
            <Choice {...{ field, form, value, wired }} />
          </td>
        ) : (
          <>
            <td className="n">
              <input
                {...wired}
                className="input"
                // What a laboratory gives may be below a limit, a range or less than 0: no keypad for numbers has those signs.
                inputMode={examination.template.type === 'laboratory' ? 'text' : 'decimal'}
                autoComplete="off"
                maxLength={40}
                value={value}
                onChange={({ target }) => {
                  setIsBeingTyped(true);
                  props.onSay('');
                  form.type(field.code, { value: target.value });
                }}
                onBlur={() => {
                  if (isBeingTyped)
                    props.onSay(formatSaid(field, value.trim(), byScale ? formatSpo2Flag(byScale) : flagged));
                  setIsBeingTyped(false);
                  void form.save();
                }}
              />
            </td>
            <td className="muted">{field.unit?.label}</td>
            <td className="n">{byScale?.target ?? formatRangeOf(field, subject)}</td>
          </>
        )}
        <td>{byScale ? <Spo2Flag of={byScale} /> : <Flag of={flag} />}</td>
      </tr>
      <tr className="exam-note" hidden={!hasNote} data-field={field.code}>
        <td colSpan={5}>
          <FieldNote id={`${id}-note`} help={field.help} error={problem} />
          <Decision {...props} />
        </td>
      </tr>
      {(field.kind === 'quantity' || field.kind === 'range') && canMark(props) && (
        <tr className="exam-note" data-field={field.code}>
          <td colSpan={5}>
            <RegionsField {...props} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Of a value as it was left: what is wrong with it, else its flag; nothing where it is as it should be. */
function formatSaid(field: TemplateField, value: string, flagged: string | null): string {
  const said = entryError(field, value) ?? flagged;
  return said === null ? '' : `${field.label} ${value}: ${said}`;
}

interface ChoiceProps extends Pick<FieldProps, 'field' | 'form'> {
  readonly value: string;
  readonly wired: { readonly id: string };
}

/** By the browser's own list; the first line takes the value out again. */
function Choice({ field, form, value, wired }: ChoiceProps) {
  const options =
    field.kind === 'boolean'
      ? ['yes', 'no'].map((code) => ({ code, label: formatValue(field, code) }))
      : (field.options ?? []);
  return (
    <div className="select-wrap">
      <select
        {...wired}
        className="select"
        value={value}
        onChange={({ target }) => {
          form.type(field.code, { value: target.value });
          void form.save();
        }}
      >
        <option value="">–</option>
        {options.map(({ code, label }) => (
          <option key={code} value={code}>
            {label}
          </option>
        ))}
      </select>
      <Icon of={ChevronsUpDown} />
    </div>
  );
}

const BUTTON_TEXT = 30;
const clipped = (text: string): string => (text.length > BUTTON_TEXT ? `${text.slice(0, BUTTON_TEXT)}…` : text);

/** Another entered something else meanwhile: whose value stands is decided here, by who typed it. Both are named. */
function Decision({ field, form, examination }: FieldProps) {
  if (!form.problems[field.code]?.isConflict) return null;
  const mine = form.typed[field.code]?.value.trim() ?? '';
  const theirs: StoredEntry | undefined = examination.entries.find((entry) => entry.field === field.code);
  return (
    <span className="row">
      <Button
        variant="link"
        size="sm"
        onClick={() => {
          form.decide(field.code, true);
          void form.save();
        }}
      >
        {mine === '' ? 'Keep mine: empty' : `Keep mine: ${clipped(formatValue(field, mine))}`}
      </Button>
      <Button variant="link" size="sm" onClick={() => form.decide(field.code, false)}>
        {theirs ? `Take ${clipped(formatValue(field, theirs.value))}` : 'Leave empty'}
      </Button>
    </span>
  );
}

function TextField(props: FieldProps) {
  const { field, form, examination } = props;
  const { value, interpretation, comparison } = shownEntry(field.code, form.typed, examination.entries);
  const problem = useProblem(props, value);
  const { editedClass, editorsId, line } = useEditors(props);
  const choose = (change: Parameters<typeof form.type>[1]) => {
    form.type(field.code, change);
    void form.save();
  };
  if (field.kind === 'code') {
    const options = (field.options ?? []).map(({ code, label }) => ({ value: code, label }));
    return (
      <div className={classNames('exam-block', editedClass)} data-field={field.code}>
        <Select
          label={field.label}
          labelAside={line || undefined}
          aria-describedby={editorsId}
          options={[{ value: '', label: '–' }, ...options]}
          value={value}
          onValueChange={(next) => choose({ value: next })}
          help={field.help}
          error={problem}
        />
        <Decision {...props} />
      </div>
    );
  }
  return (
    <div className={classNames('exam-block', editedClass)} data-field={field.code}>
      <Textarea
        label={field.label}
        aria-describedby={editorsId}
        labelAside={line || (field.is_required && <span className="t12 muted">Needed to sign</span>)}
        rows={field.part === 'request' ? 2 : 3}
        dir="auto"
        maxLength={4000}
        value={value}
        help={field.help}
        error={problem}
        onChange={({ target }) => form.type(field.code, { value: target.value })}
        onBlur={() => void form.save()}
      />
      <Decision {...props} />
      <RegionsField {...props} />
      {field.part === 'finding' && value !== '' && !isInterpreted(field) && (
        <div className="row">
          <Select
            label={`${field.label}: flag`}
            isLabelHidden
            inputSize="sm"
            options={[
              { value: '', label: 'No flag' },
              ...Interpretation.options.map((code) => ({ value: code, label: FLAG_LABELS[code] })),
            ]}
            value={interpretation ?? ''}
            onValueChange={(next) => choose({ interpretation: Interpretation.safeParse(next).data ?? null })}
          />
          <Select
            label={`${field.label}: compared with before`}
            isLabelHidden
            inputSize="sm"
            options={[
              { value: '', label: 'Not compared' },
              ...Comparison.options.map((code) => ({ value: code, label: COMPARISON_LABELS[code] })),
            ]}
            value={comparison ?? ''}
            onValueChange={(next) => choose({ comparison: Comparison.safeParse(next).data ?? null })}
          />
        </div>
      )}
    </div>
  );
}
