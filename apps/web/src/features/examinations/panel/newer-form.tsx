import type { Examination } from '@wardline/contract/examinations/examinations.ts';
import { renewExaminationForm } from '@wardline/contract/examinations/forms.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useKeepExamination } from '#/features/examinations/core/use-examination.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useAction } from '#/shared/forms/use-action.ts';

interface NewerFormProps {
  readonly examination: Examination;
  /** Something is typed that is not stored yet: nobody knows whether the new form has a place for it. */
  readonly hasTyped: boolean;
}

/** The form has a newer version: one goes on in it where every value has a place there, and otherwise is told which has none. */
export function NewerForm({ examination, hasTyped }: NewerFormProps) {
  const call = useCall();
  const keep = useKeepExamination();
  const isOnline = useOnline();
  const { id, version, template, newer_form: newer } = examination;
  const renew = useAction(async () => {
    if (!newer) return;
    const body = { expected_version: version, template_version: newer.version };
    keep(await call(renewExaminationForm, { params: { examination: id }, body }));
  });
  if (!newer) return null;
  if (newer.lost.length > 0) {
    return (
      <Banner isFlush tone="neutral" announce="none" title={`This form has a newer version, ${newer.version}.`}>
        You go on in version {template.version}: the new one has no place for {newer.lost.join(', ')}.
      </Banner>
    );
  }
  return (
    <>
      <Banner
        isFlush
        tone="info"
        announce="none"
        title={`This form has a newer version, ${newer.version}.`}
        action={
          <Button
            variant="link"
            size="sm"
            disabled={!isOnline || hasTyped}
            isLoading={renew.isBusy}
            onClick={renew.run}
          >
            Go on in version {newer.version}
          </Button>
        }
      >
        Every value has a place in it.
      </Banner>
      {renew.error && (
        <Banner isFlush tone="error">
          {renew.error}
        </Banner>
      )}
    </>
  );
}
