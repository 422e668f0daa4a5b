import type { Examination, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { REGIONS_MAX, type Region } from '@wardline/contract/examinations/regions.ts';
import { isSameRegions, isSeenOnPictures } from '@wardline/examination/regions.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { ScanSearch } from 'lucide-react';
import { use, useState } from 'react';
import { MarkedPlaces, namedRegions } from '#/features/examinations/core/marked-places.tsx';
import { PicturesContext } from '#/features/examinations/core/pictures-context.ts';
import { shownEntry } from './typed-values.ts';
import type { ExaminationForm } from './use-examination-form.ts';

interface RegionsFieldProps {
  readonly examination: Examination;
  readonly field: TemplateField;
  readonly form: ExaminationForm;
}

/** True where the field has a value that can be seen on a picture: nothing is marked before it is said. */
export function canMark({ examination, field, form }: RegionsFieldProps): boolean {
  const { value } = shownEntry(field.code, form.typed, examination.entries);
  return isSeenOnPictures(examination.template, field) && value.trim() !== '';
}

/** Where a finding is seen on the pictures of the chat: looked at, marked and taken away. */
export function RegionsField(props: RegionsFieldProps) {
  const { examination, field, form } = props;
  const show = use(PicturesContext);
  const [isOpen, setIsOpen] = useState(false);
  const { regions = [] } = shownEntry(field.code, form.typed, examination.entries);
  if (!canMark(props)) return null;
  const change = (next: readonly Region[]) => {
    form.type(field.code, { regions: [...next] });
    void form.save();
  };
  const isFull = regions.length >= REGIONS_MAX;
  return (
    <div className="exam-regions">
      <MarkedPlaces
        label={field.label}
        regions={regions}
        pictures={examination.pictures}
        onRemove={(gone) => change(regions.filter((region) => !isSameRegions([region], [gone])))}
      />
      {show && !isFull && (
        <Button variant="link" size="sm" icon={ScanSearch} onClick={() => setIsOpen(true)}>
          Mark on a picture
          <span className="sr"> for {field.label}</span>
        </Button>
      )}
      {isOpen &&
        show?.({
          first: regions.at(-1)?.attachment_id ?? null,
          regions: namedRegions(field.label, regions),
          marking: isFull ? undefined : { label: field.label, onMark: (region) => change([...regions, region]) },
          onClose: () => setIsOpen(false),
        })}
    </div>
  );
}
