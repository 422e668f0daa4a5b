import { statusOf } from '@wardline/client/http/api-error.ts';
import {
  type FacilityForm,
  type FormAct,
  FormDefinition,
  moveExaminationForm,
  saveFormDraft,
} from '@wardline/contract/examinations/forms.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { typedNames } from '#/shared/contexts/typed-names.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { useQueryClient } from '#/shared/queries/use-query.ts';
import { inOrder } from './form-fields.ts';
import { useKeepForm } from './form-queries.ts';

/** What is kept on the device: what was written, and the revision that was seen when it was begun. */
const Kept = z.object({ revision: z.int(), definition: FormDefinition });
type Kept = z.infer<typeof Kept>;

export interface FormDraft {
  readonly definition: FormDefinition;
  /** Written here and not stored on the server yet. */
  readonly isDirty: boolean;
  /** Somebody changed the form since this was begun here. */
  readonly isOvertaken: boolean;
  readonly error: string | null;
  readonly busy: 'save' | FormAct | null;
  change(next: FormDefinition): void;
  /** True once it is stored. */
  save(): Promise<boolean>;
  /** Of two: mine replaces theirs with the next save, or is dropped. */
  decide(mine: boolean): void;
  act(act: FormAct): Promise<boolean>;
}

/** What is written of a form. It is kept on the device with every key, and goes to the server when it is saved. */
export function useFormDraft(facilityId: string, form: FacilityForm): FormDraft {
  const call = useCall();
  const keep = useKeepForm(facilityId);
  const queries = useQueryClient();
  const { kept, now, set } = useKept(form.id);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState<FormDraft['busy']>(null);
  const params = { facility: facilityId, form: form.id };
  const stored = toDefinition(form);

  const run = async (what: NonNullable<FormDraft['busy']>, work: () => Promise<FacilityForm>): Promise<boolean> => {
    setBusy(what);
    setError(null);
    try {
      keep(await work());
      return true;
    } catch (failure) {
      // Changed by another, or removed: the page goes by how it stands now.
      if (statusOf(failure) === 409 || statusOf(failure) === 404)
        await queries.refetchQueries({ queryKey: ['examination-form', form.id] });
      setError(formatAction(failure));
      return false;
    } finally {
      setBusy(null);
    }
  };
  const save = async () => {
    const sent = now();
    if (sent === null) return true;
    return run('save', async () => {
      const definition = { ...sent.definition, fields: inOrder(sent.definition.fields) };
      const body = { expected_revision: sent.revision, definition };
      const saved = await call(saveFormDraft, { params, body });
      // What was written while it was on its way goes on from what came of it.
      const left = now();
      set(left === null || left === sent ? null : { ...left, revision: saved.revision });
      return saved;
    });
  };
  return {
    ...{ error, busy, save },
    definition: kept?.definition ?? stored,
    isDirty: kept !== null,
    isOvertaken: kept !== null && kept.revision !== form.revision && busy === null,
    change(definition) {
      setError(null);
      set({ revision: now()?.revision ?? form.revision, definition });
    },
    decide(mine) {
      const held = now();
      setError(null);
      set(mine && held ? { ...held, revision: form.revision } : null);
    },
    act(act) {
      const revision = queries.getQueryData<FacilityForm>(['examination-form', form.id])?.revision ?? form.revision;
      return run(act, () => call(moveExaminationForm, { params, body: { expected_revision: revision, act } }));
    },
  };
}

/** The draft, else what is published: as it is changed. */
export function toDefinition({ draft, published, type }: FacilityForm): FormDefinition {
  if (draft) return { ...draft, fields: inOrder(draft.fields) };
  if (!published) return { type, name: '', fields: [] };
  const { id: _id, version: _version, ...definition } = published;
  return { ...definition, fields: inOrder(definition.fields) };
}

/** What an earlier visit left on the device comes back. */
export function useKept(formId: string) {
  const { store } = useDevice();
  const name = typedNames.form(formId);
  const [kept, show] = useState<Kept | null>(null);
  const held = useRef(kept);
  const restore = useEffectEvent((found: unknown) => {
    const read = z.safeParse(Kept, found);
    if (!read.success || held.current !== null) return;
    held.current = read.data;
    show(read.data);
  });
  useEffect(() => {
    let isHere = true;
    store.meta(name).then(
      (found) => isHere && restore(found),
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [store, name]);
  return {
    kept,
    now: () => held.current,
    set(next: Kept | null) {
      held.current = next;
      show(next);
      const change =
        next === null
          ? ({ type: 'remove-meta', name } as const)
          : ({ type: 'put-meta', name, value: next, isCache: false } as const);
      // A notice over the page says when this device keeps nothing.
      void store.write([change]).catch(() => undefined);
    },
  };
}
