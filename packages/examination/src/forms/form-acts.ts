import type { FormAct, FormState, FormSummary } from '@wardline/contract/examinations/forms.ts';

/** What can be done with a form of a facility as it stands. */
export function formActs({
  state,
  version,
  has_draft,
  copied_from,
}: Pick<FormSummary, 'state' | 'version' | 'has_draft' | 'copied_from'>): FormAct[] {
  if (state !== 'in_use') return ['use_again'];
  return [
    ...(has_draft ? (['publish'] as const) : []),
    ...(version > 0 ? (['retire'] as const) : []),
    ...(version > 0 && copied_from ? (['return_to_shipped'] as const) : []),
  ];
}

/** What becomes of a form by an act that it allows. */
export const STATE_AFTER: Readonly<Record<FormAct, FormState>> = {
  ...{ publish: 'in_use', retire: 'retired', use_again: 'in_use', return_to_shipped: 'shipped_again' },
};
