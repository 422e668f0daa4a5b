import type { ExaminationTemplate, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import type { Region } from '@wardline/contract/examinations/regions.ts';

/** What is left over of sums of shares that were rounded. */
const ROUNDING = 1e-9;

/** True where a finding of this field can be seen on a picture: not what a laboratory counts or a monitor shows. */
export function isSeenOnPictures({ type }: Pick<ExaminationTemplate, 'type'>, { part }: TemplateField): boolean {
  return part !== 'request' && type !== 'laboratory' && type !== 'vital_signs';
}

/** What is wrong with a place on a picture, as a sentence for who marked it; null where nothing is. Each share is within 0 to 1 already. */
export function regionError({ shape, x, y, width, height }: Region): string | null {
  if (x + width > 1 + ROUNDING || y + height > 1 + ROUNDING) return 'A marked place lies outside its picture.';
  const isPoint = width === 0 && height === 0;
  if (shape === 'point') return isPoint ? null : 'A point has no size.';
  return width > 0 && height > 0 ? null : 'A marked place has no size.';
}

/** True where both point to the same places in the same order; nothing and none are the same. */
export function isSameRegions(a: readonly Region[] = [], b: readonly Region[] = []): boolean {
  return a.length === b.length && a.every((region, index) => isSameRegion(region, b[index]));
}

function isSameRegion(a: Region, b: Region | undefined): boolean {
  return b !== undefined && PARTS.every((part) => a[part] === b[part]);
}

const PARTS = ['attachment_id', 'shape', 'x', 'y', 'width', 'height', 'frame'] as const satisfies (keyof Region)[];
