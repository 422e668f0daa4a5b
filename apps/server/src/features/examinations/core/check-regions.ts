import type { Entry, EntryInput, ExaminationTemplate } from '@wardline/contract/examinations/examinations.ts';
import type { Region } from '@wardline/contract/examinations/regions.ts';
import { isSameRegions, isSeenOnPictures, regionError } from '@wardline/examination/regions.ts';
import type { Transaction } from '#/platform/http/context.ts';
import { refuse } from './check-entries.ts';
import type { ExaminationDeps } from './deps.ts';

type Stored = readonly Pick<Entry, 'field' | 'regions'>[];

/** Who says nothing of places leaves those that are there; a value that is taken out takes them along. */
export function withStoredRegions(inputs: readonly EntryInput[], stored: Stored): EntryInput[] {
  return inputs.map((input) => {
    const regions = input.regions ?? stored.find(({ field }) => field === input.field)?.regions;
    return { ...input, regions: input.value === '' && input.regions === undefined ? [] : (regions ?? []) };
  });
}

interface Pointing {
  readonly chatId: string;
  readonly userId: string;
  readonly template: ExaminationTemplate;
  readonly inputs: readonly EntryInput[];
  readonly stored: Stored;
}

/**
 * What is pointed to anew lies on a picture of this chat that who points may read now; in the same words of one that there is not, so that
 * nobody learns of another chat's. What stands already stays, also when its message was deleted since.
 */
export async function checkRegions(
  { chats }: ExaminationDeps,
  tx: Transaction,
  { chatId, userId, template, inputs, stored }: Pointing,
): Promise<void> {
  const added = inputs.flatMap(({ field, value, regions = [] }) => {
    const before = stored.find((entry) => entry.field === field)?.regions;
    return isSameRegions(regions, before) ? [] : [{ field, value, regions, before: before ?? [] }];
  });
  const isNew = (region: Region, before: readonly Region[]) =>
    !before.some((known) => isSameRegions([known], [region]));
  const ids = added.flatMap(({ regions, before }) =>
    regions.filter((region) => isNew(region, before)).map(({ attachment_id }) => attachment_id),
  );
  const pictures = await chats.pictures(tx, { chatId, userId, ids: [...new Set(ids)] });
  const errors = added.flatMap(({ field, value, regions, before }) => {
    const known = template.fields.find(({ code }) => code === field);
    if (regions.length === 0 || !known) return [];
    if (!isSeenOnPictures(template, known)) return [[field, 'This finding can’t point to a picture.'] as const];
    if (value === '') return [[field, 'Enter the finding before you mark where it is.'] as const];
    return regions
      .filter((region) => isNew(region, before))
      .flatMap((region) => {
        const picture = pictures.find(({ id }) => id === region.attachment_id);
        const isOther = picture?.kind === 'image' && (region.frame ?? 0) > 0;
        const error =
          picture && !isOther ? regionError(region) : 'A marked picture is not in this chat, or you can’t see it.';
        return error === null ? [] : [[field, error] as const];
      });
  });
  refuse(Object.fromEntries(errors.map(([field, error]) => [`entries.${field}`, [error]])));
}
