import type { TemplateField } from '@wardline/contract/examinations/examinations.ts';
import type { TrendValue } from '@wardline/contract/examinations/trends.ts';
import type { Interpretation } from '@wardline/contract/interpretation.ts';
import { plainDecimal } from '@wardline/examination/decimal.ts';
import { isCritical, readQuantity } from '@wardline/examination/reference-range.ts';
import { shiftQuantity } from '@wardline/examination/shift-quantity.ts';
import { formatQuantity } from '@wardline/format/numbers.ts';
import type { Measurement } from '@wardline/ui/chart/measurement-chart.tsx';

/** A value as the trend of a field shows it. */
export interface ShownValue {
  readonly examinationId: string;
  readonly title: string;
  readonly reportVersion: number;
  readonly at: number;
  /** In the unit of the field; in its own where that cannot be converted exactly. */
  readonly text: string;
  readonly unit: string;
  /** As it was entered, where it was in another unit that could be converted. */
  readonly entered: string | null;
  /** Whether it stands in the unit of the field. */
  readonly isComparable: boolean;
  readonly interpretation: Interpretation | null;
}

/** The values in the unit of the field wherever UCUM makes them so without rounding; all others as they are. */
export function shownValues(
  values: readonly TrendValue[],
  { unit: wanted }: Pick<TemplateField, 'unit'>,
): ShownValue[] {
  return values.map(({ examination_id, title, report_version, at, value, unit, power_of_ten, interpretation }) => {
    const said = {
      examinationId: examination_id,
      title,
      reportVersion: report_version,
      at: Date.parse(at),
      interpretation,
    };
    const isSame = (unit?.code ?? '') === (wanted?.code ?? '');
    const power = isSame ? 0 : (power_of_ten ?? null);
    const converted = power === null ? null : shiftQuantity(value, power);
    if (converted === null) {
      return { ...said, text: value, unit: unit?.label ?? '', entered: null, isComparable: false };
    }
    return {
      ...said,
      ...{ text: isSame ? value : converted, unit: wanted?.label ?? '', isComparable: true },
      entered: isSame ? null : formatQuantity(value, unit?.label),
    };
  });
}

/** What has a place in the picture, the oldest first. A limit (`<0.5`) is no point. Numbers are made for the drawing alone. */
export function drawnPoints(values: readonly ShownValue[]): Measurement[] {
  return values
    .flatMap(({ text, at, isComparable, interpretation }) => {
      const quantity = isComparable ? readQuantity(text) : null;
      if (quantity === null || quantity.comparator !== null) return [];
      return [{ at, value: Number(plainDecimal(quantity.number)), isMarked: isCritical(interpretation) }];
    })
    .sort((a, b) => a.at - b.at);
}
