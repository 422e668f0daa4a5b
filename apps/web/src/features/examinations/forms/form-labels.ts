import type { TemplateField } from '@wardline/contract/examinations/examinations.ts';
import type { FormSummary } from '@wardline/contract/examinations/forms.ts';
import type { FormProblem } from '@wardline/examination/forms/form-problems.ts';
import type { BadgeTone } from '@wardline/ui/mark/badge.tsx';

export const KIND_NAMES: Readonly<Record<TemplateField['kind'], string>> = {
  ...{ quantity: 'Number', range: 'Two numbers', code: 'Choice', boolean: 'Yes or no', text: 'Text' },
};

/** What is wrong at a place below a path, or what is only to be known there; undefined where nothing is. */
export type Problems = (place: string, what?: 'wrong' | 'to know') => string | undefined;

/** The problems at one field of a form, by what stands after its number. */
export function problemsAt(found: readonly FormProblem[], index: number): Problems {
  return (place, what = 'wrong') =>
    found
      .filter(({ path, isWarning }) => path === `fields.${index}.${place}` && isWarning === (what === 'to know'))
      .map(({ text }) => text)
      .join(' ') || undefined;
}

/** How a form stands, in a word. */
export function formBadges(form: FormSummary): readonly { word: string; tone: BadgeTone }[] {
  const { state, version, has_draft, is_shipped } = form;
  return [
    ...(is_shipped ? [{ word: 'From Wardline', tone: 'neutral' as const }] : []),
    ...(state === 'retired' ? [{ word: 'Retired', tone: 'neutral' as const }] : []),
    ...(state === 'shipped_again' ? [{ word: 'Not used', tone: 'neutral' as const }] : []),
    ...(state === 'in_use' && version > 0 && !is_shipped ? [{ word: 'In use', tone: 'success' as const }] : []),
    ...(has_draft ? [{ word: 'Draft', tone: 'primary' as const }] : []),
  ];
}
