import { useRouter } from '@tanstack/react-router';
import { createExaminationForm } from '@wardline/contract/examinations/forms.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { NotLoaded } from '#/shared/errors/not-loaded.tsx';
import { useAction } from '#/shared/forms/use-action.ts';
import { inOrder } from './form-fields.ts';
import { useKeepForm } from './form-queries.ts';
import { useKept } from './use-form-draft.ts';

interface RemovedFormProps {
  readonly facility: Facility;
  readonly formId: string;
  readonly error: unknown;
  readonly onRetry: () => unknown;
}

/** A form that is not there: where something of it was written on this device before somebody removed it, a new form is made of that. */
export function RemovedForm({ facility, formId, error, onRetry }: RemovedFormProps) {
  const call = useCall();
  const keep = useKeepForm(facility.id);
  const router = useRouter();
  const isOnline = useOnline();
  const { kept, set } = useKept(formId);
  const begin = useAction(async () => {
    if (kept === null) return;
    const definition = { ...kept.definition, fields: inOrder(kept.definition.fields) };
    const made = await call(createExaminationForm, { params: { facility: facility.id }, body: { definition } });
    keep(made);
    set(null);
    await router.navigate({ href: `/settings/facility?view=forms&form=${made.id}` });
  });
  if (kept === null) return <NotLoaded title="The form did not load" error={error} onRetry={onRetry} />;
  return (
    <div className="stack stack-4">
      <Banner
        tone="warning"
        title="Somebody removed this form."
        action={
          <span className="row wrap">
            <Button variant="link" size="sm" disabled={!isOnline} isLoading={begin.isBusy} onClick={begin.run}>
              Make a new form of it
            </Button>
            <Button variant="link" size="sm" onClick={() => set(null)}>
              Drop it
            </Button>
          </span>
        }
      >
        What you wrote of “{kept.definition.name || 'Form without a name'}” is kept on this device.
      </Banner>
      {begin.error && <Banner tone="error">{begin.error}</Banner>}
    </div>
  );
}
