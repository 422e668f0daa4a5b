import { useRouter } from '@tanstack/react-router';
import { EXAMINATION_TYPES, type ExaminationType } from '@wardline/contract/examinations/examinations.ts';
import {
  createExaminationForm,
  FORM_BYTES_MAX,
  type FormDefinition,
  FormFile,
  type FormSummary,
  getExaminationForm,
} from '@wardline/contract/examinations/forms.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { FileDrop } from '@wardline/ui/input/file-drop.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { TYPE_LABELS } from '#/features/examinations/core/examination-labels.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { useKeepForm } from './form-queries.ts';
import { toDefinition } from './use-form-draft.ts';

interface NewFormDialogProps {
  readonly facility: Facility;
  /** What it may begin as. */
  readonly forms: readonly FormSummary[];
  /** It comes from a file of another hospital. */
  readonly isFile: boolean;
  readonly onClose: () => void;
}

/** A new form: empty, as another one, or from a file. It is a draft, and nobody is offered it before it is published. */
export function NewFormDialog({ facility, forms, isFile, onClose }: NewFormDialogProps) {
  const call = useCall();
  const keep = useKeepForm(facility.id);
  const router = useRouter();
  const formId = useId();
  const [from, setFrom] = useState('');
  const [type, setType] = useState<ExaminationType>('laboratory');
  const [file, setFile] = useState<{ name: string; form: FormDefinition } | null>(null);
  const [fileError, setFileError] = useState<string | null>(null);
  const { props, error, isBusy } = useForm({
    names: ['name'],
    required: isFile ? {} : { name: 'Enter the name of the form.' },
    async send({ name }) {
      if (isFile && file === null) return setFileError('Choose the file.');
      const definition = file?.form ?? { ...(await begin()), name };
      const made = await call(createExaminationForm, { params: { facility: facility.id }, body: { definition } });
      keep(made);
      onClose();
      await router.navigate({ href: `/settings/facility?view=forms&form=${made.id}` });
    },
  });
  const begin = async (): Promise<FormDefinition> => {
    if (from === '') return { type, name: '', fields: [] };
    return toDefinition(await call(getExaminationForm, { params: { facility: facility.id, form: from } }));
  };
  const read = async (chosen: File) => {
    const found = await readFormFile(chosen);
    setFile(typeof found === 'string' ? null : { name: chosen.name, form: found });
    setFileError(typeof found === 'string' ? found : null);
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={isFile ? 'Form from a file' : 'New form'}
      description={`A draft for ${facility.name}. Nobody is offered it before you publish it.`}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            {isFile ? 'Take over' : 'Begin form'}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        {isFile ? (
          <FileDrop
            label={file ? `${file.form.name || file.name}: ${TYPE_LABELS[file.form.type]}` : 'Drop the file here'}
            help="A form that another hospital exported from Wardline (.form.json)."
            accept="application/json,.json"
            buttonLabel={file ? 'Choose another file' : 'Choose a file'}
            error={fileError}
            onFiles={([chosen]) => chosen && void read(chosen)}
          />
        ) : (
          <>
            <TextInput label="Name" name="name" autoComplete="off" maxLength={80} error={error.fields.name} />
            <Select
              label="Begins as"
              options={[
                { value: '', label: 'Empty' },
                ...forms.map(({ id, name }) => ({ value: id, label: name || 'Form without a name' })),
              ]}
              value={from}
              onValueChange={setFrom}
            />
            {from === '' && (
              <Select
                label="Type"
                options={EXAMINATION_TYPES.map((value) => ({ value, label: TYPE_LABELS[value] }))}
                value={type}
                onValueChange={setType}
              />
            )}
          </>
        )}
      </form>
    </Dialog>
  );
}

/** The form that a file holds, or what is wrong with the file. */
export async function readFormFile(file: File): Promise<FormDefinition | string> {
  if (file.size > 4 * FORM_BYTES_MAX) return 'This file is too large for a form.';
  const read = FormFile.safeParse(parsed(await file.text()));
  if (read.success) return read.data.form;
  const place = read.error.issues[0]?.path.join('.');
  return place?.startsWith('form')
    ? `This form can’t be taken over: ${place} is not as Wardline writes it.`
    : 'This is no form of Wardline. Export it with “Export for another hospital”.';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
