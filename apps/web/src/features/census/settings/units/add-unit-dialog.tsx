import { createCensusUnit } from '@wardline/contract/census/settings.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { useSettingsPlace } from '#/features/census/settings/core/settings-context.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { UNIT_NAMES_NEEDED, UnitNameFields } from './unit-names.tsx';

/** One more unit; its beds and people are entered in its own dialog afterwards. */
export function AddUnitDialog({ onClose }: { readonly onClose: () => void }) {
  const { facility, save } = useSettingsPlace();
  const formId = useId();
  const [values, setValues] = useState({ unit_code: '', unit_name: '', unit_kind: 'Ward' });
  const { props, error, isBusy } = useForm({
    names: ['unit_code', 'unit_name', 'unit_kind'],
    required: UNIT_NAMES_NEEDED,
    async send(names) {
      await save((call, version) =>
        call(createCensusUnit, { params: { facility: facility.id }, body: { version, ...names } }),
      );
      onClose();
    },
  });
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title="Add a unit"
      description="It reports from the census date under way on. Then say who reports for it and how many beds it has."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            Add unit
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        <UnitNameFields
          values={values}
          errors={error.fields}
          onChange={(change) => setValues((now) => ({ ...now, ...change }))}
        />
      </form>
    </Dialog>
  );
}
