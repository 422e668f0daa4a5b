import type { TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { FORM_FIELDS_MAX, type FormDefinition } from '@wardline/contract/examinations/forms.ts';
import { PART_LABELS } from '@wardline/examination/forms/form-difference.ts';
import type { FormProblem } from '@wardline/examination/forms/form-problems.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { ChevronDown, ChevronRight, GripVertical, Plus, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { FieldEditor } from './field-editor.tsx';
import { addField, moveField, PARTS, renameField, replaced, sectionOf, stepField } from './form-fields.ts';
import { KIND_NAMES, problemsAt } from './form-labels.ts';

interface FormOutlineProps {
  readonly definition: FormDefinition;
  readonly problems: readonly FormProblem[];
  /** Codes of fields that a version of the form has had. */
  readonly usedCodes: readonly string[];
  readonly onChange: (definition: FormDefinition) => void;
}

const PART_TEXTS: Readonly<Record<TemplateField['part'], string>> = {
  request: 'Asked for with the examination.',
  finding: 'What is found: numbers, choices, texts.',
  report: 'What is said of it in the end.',
};

/** The fields of a form in their order: opened to be changed, dragged or moved by the arrow keys, added and removed. */
export function FormOutline({ definition, problems, usedCodes, onChange }: FormOutlineProps) {
  const { fields } = definition;
  const [open, setOpen] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const set = (next: readonly TemplateField[]) => onChange({ ...definition, fields: [...next] });
  const moved = (next: readonly TemplateField[], field: TemplateField) => {
    const index = next.findIndex(({ code }) => code === field.code);
    const now = next[index];
    set(next);
    setOpen(null);
    if (now) setSaid(`${now.label}: ${placeOf(next, index)}.`);
    // React draws it elsewhere; the keyboard goes along.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-move="${index}"]`)?.focus());
  };
  const sections = [...new Set(fields.map(sectionOf))].filter(Boolean);
  return (
    <div className="stack stack-4" ref={list}>
      <p className="sr" role="status">
        {said}
      </p>
      {PARTS.map((part) => {
        const own = fields.flatMap((field, index) => (field.part === part ? [{ field, index }] : []));
        return (
          <Card key={part}>
            <CardHead
              title={PART_LABELS[part]}
              level={2}
              aside={<span className="t12 muted">{PART_TEXTS[part]}</span>}
            />
            <ul className="list" aria-label={PART_LABELS[part]}>
              {own.map(({ field, index }, at) => (
                <li key={index}>
                  {beginsSection(own[at - 1]?.field, field) && <h3 className="form-heading">{sectionOf(field)}</h3>}
                  <FieldRow
                    {...{ field, index }}
                    isOpen={open === index}
                    errors={problems.filter((one) => !one.isWarning && one.path.startsWith(`fields.${index}.`)).length}
                    onOpen={() => setOpen(open === index ? null : index)}
                    onStep={(step) => moved(stepField(fields, index, step), field)}
                    onDrop={(to) => moved(moveField(fields, index, to), field)}
                    onRemove={() => {
                      setOpen(null);
                      set(fields.filter((_other, other) => other !== index));
                      setSaid(`${field.label} removed.`);
                    }}
                  />
                  {open === index && (
                    <FieldEditor
                      field={field}
                      problems={problemsAt(problems, index)}
                      isPublished={usedCodes.includes(field.code)}
                      sections={sections}
                      onRename={(label) => set(renameField(fields, index, { label, usedCodes }))}
                      onChange={(next) => set(replaced(fields, index, next))}
                    />
                  )}
                </li>
              ))}
            </ul>
            <div className="form-add">
              <Button
                variant="ghost"
                size="sm"
                icon={Plus}
                disabled={fields.length >= FORM_FIELDS_MAX}
                onClick={() => {
                  const added = addField(fields, part, usedCodes);
                  set(added.fields);
                  setOpen(added.index);
                  requestAnimationFrame(() =>
                    list.current?.querySelector<HTMLElement>('.form-field input')?.focus({ preventScroll: false }),
                  );
                }}
              >
                Add a field<span className="sr"> to {PART_LABELS[part]}</span>
              </Button>
              {fields.length >= FORM_FIELDS_MAX && (
                <span className="t12 muted">A form has at most {FORM_FIELDS_MAX} fields.</span>
              )}
            </div>
          </Card>
        );
      })}
    </div>
  );
}

function beginsSection(before: TemplateField | undefined, field: TemplateField): boolean {
  return sectionOf(field) !== '' && (before === undefined || sectionOf(before) !== sectionOf(field));
}

/** Where a field stands now, as it is said after it was moved. */
function placeOf(fields: readonly TemplateField[], index: number): string {
  const field = fields[index];
  if (!field) return '';
  const own = fields.filter(({ part }) => part === field.part);
  const section = sectionOf(field);
  return `${PART_LABELS[field.part]}${section ? `, ${section}` : ''}, ${own.indexOf(field) + 1} of ${own.length}`;
}

interface FieldRowProps {
  readonly field: TemplateField;
  readonly index: number;
  readonly isOpen: boolean;
  readonly errors: number;
  readonly onOpen: () => void;
  readonly onStep: (step: -1 | 1) => void;
  readonly onDrop: (to: number) => void;
  readonly onRemove: () => void;
}

function FieldRow({ field, index, isOpen, errors, onOpen, onStep, onDrop, onRemove }: FieldRowProps) {
  const { label, kind, unit, news2, is_required } = field;
  const name = label || 'Field without a name';
  const details = [KIND_NAMES[kind], unit?.label, is_required && 'needed to sign', news2 && 'NEWS2'];
  return (
    <div className="form-row" data-row={index}>
      <MoveHandle {...{ name, index, onStep, onDrop }} />
      <button type="button" className="form-name" aria-expanded={isOpen} onClick={onOpen}>
        <Icon of={isOpen ? ChevronDown : ChevronRight} />
        <span className="grow">
          <span className="medium strong">{name}</span>{' '}
          <span className="t12 muted">{details.filter(Boolean).join(' · ')}</span>
        </span>
        {errors > 0 && <Badge tone="error">{errors} to mend</Badge>}
      </button>
      <Button
        variant="ghost"
        color="neutral"
        iconOnly
        icon={Trash2}
        label={news2 ? `${name} can’t be removed: NEWS2 needs it` : `Remove ${name}`}
        disabled={news2 !== undefined}
        onClick={onRemove}
      />
    </div>
  );
}

interface MoveHandleProps extends Pick<FieldRowProps, 'index' | 'onStep' | 'onDrop'> {
  readonly name: string;
}

/** Dragged by mouse, pen or finger; the arrow keys move by one. */
function MoveHandle({ name, index, onStep, onDrop }: MoveHandleProps) {
  const target = useRef<Element | null>(null);
  const mark = (row: Element | null) => {
    target.current?.removeAttribute('data-drop');
    target.current = row;
    row?.setAttribute('data-drop', '');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    onStep(event.key === 'ArrowUp' ? -1 : 1);
  };
  const onPointerMove = ({ currentTarget, pointerId, clientX, clientY }: PointerEvent<HTMLButtonElement>) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return;
    const row = document.elementFromPoint(clientX, clientY)?.closest('[data-row]') ?? null;
    mark(row?.getAttribute('data-row') === String(index) ? null : row);
  };
  const onPointerUp = () => {
    const to = target.current?.getAttribute('data-row');
    mark(null);
    if (to) onDrop(Number(to));
  };
  return (
    <button
      type="button"
      className="form-handle"
      data-move={index}
      aria-label={`Move ${name}: arrow up or down`}
      onKeyDown={onKeyDown}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => mark(null)}
    >
      <Icon of={GripVertical} />
    </button>
  );
}
