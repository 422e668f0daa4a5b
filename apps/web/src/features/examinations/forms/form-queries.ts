import type { TemplateField } from '@wardline/contract/examinations/examinations.ts';
import {
  checkUnit,
  type FacilityForm,
  getExaminationForm,
  listExaminationForms,
  listFormVersions,
} from '@wardline/contract/examinations/forms.ts';
import type { UnitChecks } from '@wardline/examination/forms/form-problems.ts';
import { COMMON_UNITS, isLoinc } from '@wardline/examination/forms/loinc.ts';
import { useEffect, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { usePages } from '#/shared/queries/use-pages.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';

const PAGE = 200;
const listKey = (facilityId: string) => ['examination-forms', facilityId];
const formKey = (formId: string) => ['examination-form', formId];

export function useForms(facilityId: string) {
  const call = useCall();
  return usePages({
    queryKey: listKey(facilityId),
    load: ({ query, signal }) =>
      call(listExaminationForms, { params: { facility: facilityId }, query: { ...query, limit: PAGE }, signal }),
  });
}

export function useFacilityForm(facilityId: string, formId: string) {
  const call = useCall();
  return useQuery({
    queryKey: formKey(formId),
    queryFn: ({ signal }) => call(getExaminationForm, { params: { facility: facilityId, form: formId }, signal }),
  });
}

export function useFormVersions(facilityId: string, formId: string) {
  const call = useCall();
  return usePages({
    queryKey: ['form-versions', formId],
    load: ({ query, signal }) =>
      call(listFormVersions, { params: { facility: facilityId, form: formId }, query, signal }),
  });
}

/** The answer to a change is how the form stands now; lists of forms are asked again. */
export function useKeepForm(facilityId: string): (form: FacilityForm) => void {
  const queries = useQueryClient();
  const refresh = useRefreshForms(facilityId);
  return (form) => {
    queries.setQueryData(formKey(form.id), form);
    void queries.invalidateQueries({ queryKey: ['form-versions', form.id] });
    refresh();
  };
}

export function useRefreshForms(facilityId: string): () => void {
  const queries = useQueryClient();
  return () => {
    void queries.invalidateQueries({ queryKey: listKey(facilityId) });
    void queries.invalidateQueries({ queryKey: ['examination-templates', facilityId] });
  };
}

const PAUSE_MS = 400;
const COMMON: readonly string[] = COMMON_UNITS.map(({ code }) => code);

type Answers = Readonly<Record<string, { readonly is_unit: boolean; readonly fits_loinc: boolean | null }>>;
const pairOf = (code: string, loinc: string | undefined) => (loinc ? `${code} ${loinc}` : code);

/** What the UCUM library of the server says of the units of these fields: asked once for each, when the typing pauses. */
export function useUnitChecks(facilityId: string, fields: readonly TemplateField[]): UnitChecks {
  const call = useCall();
  const [answers, setAnswers] = useState<Answers>({});
  const open = fields.flatMap(({ unit, loinc }) => {
    if (!unit?.code) return [];
    const known = loinc && isLoinc(loinc) ? loinc : undefined;
    if (known === undefined && COMMON.includes(unit.code)) return [];
    return answers[pairOf(unit.code, known)] ? [] : [pairOf(unit.code, known)];
  });
  const wanted = [...new Set(open)].join('\n');
  useEffect(() => {
    if (wanted === '') return;
    const ended = new AbortController();
    const timer = setTimeout(async () => {
      for (const pair of wanted.split('\n')) {
        const [code = '', loinc] = pair.split(' ');
        const query = { code, ...(loinc && { loinc }) };
        // Offline it is asked with the next change, and by who publishes in any case.
        const answer = await call(checkUnit, { params: { facility: facilityId }, query, signal: ended.signal }).catch(
          () => null,
        );
        if (ended.signal.aborted || answer === null) return;
        setAnswers((before) => ({ ...before, [pair]: answer }));
      }
    }, PAUSE_MS);
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [call, facilityId, wanted]);
  const find = (code: string) =>
    Object.entries(answers).find(([pair]) => pair === code || pair.startsWith(`${code} `))?.[1];
  return {
    isUnit: (code) => (COMMON.includes(code) ? true : (find(code)?.is_unit ?? null)),
    fits: (code, loinc) => answers[pairOf(code, loinc)]?.fits_loinc ?? null,
  };
}
