import type { Entry, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { yearsOn } from './age.ts';
import { compareDecimals, isDecimal } from './decimal.ts';
import type { Subject } from './reference-range.ts';

/** The seven parts of the National Early Warning Score 2 (Royal College of Physicians, 2017), in the order of its chart. */
export const NEWS2_PARTS = [
  'respiration',
  'spo2',
  'oxygen',
  'systolic',
  'pulse',
  'consciousness',
  'temperature',
] as const;
export type News2Part = (typeof NEWS2_PARTS)[number];

/** What was observed, each as entered; without it null. */
export interface Observations {
  /** Breaths a minute. */
  readonly respiration: string | null;
  /** Per cent. */
  readonly spo2: string | null;
  /** 2 for patients with hypercapnic respiratory failure whose target is 88–92 %, as a competent clinician decided; else 1. */
  readonly spo2Scale: 1 | 2;
  readonly onOxygen: boolean | null;
  /** mmHg. */
  readonly systolic: string | null;
  /** Beats a minute. */
  readonly pulse: string | null;
  /** Alert, new confusion, responds to voice, to pain, unresponsive. */
  readonly consciousness: 'A' | 'C' | 'V' | 'P' | 'U' | null;
  /** °C. */
  readonly temperature: string | null;
}

/** How urgent the score is by the college's thresholds; a 3 in one part alone is a threshold of its own. */
export type News2Risk = 'low' | 'single_3' | 'medium' | 'high';

export interface News2 {
  /** 0 to 3 each; null where nothing was observed. */
  readonly parts: Readonly<Record<News2Part, number | null>>;
  /** Null while a part is missing. */
  readonly total: number | null;
  /** Of the total; while a part is missing, of what is known already where that suffices. */
  readonly risk: News2Risk | null;
}

/** Up to each limit, the limit included, so many points; past the last one, those that follow. */
interface Scale {
  readonly upTo: readonly (readonly [limit: string, points: number])[];
  readonly above: number;
  /** What no patient goes beyond: a slip of the keys must not score as if it were well. */
  readonly possible: readonly [from: string, to: string];
}

const RESPIRATION: Scale = {
  possible: ['0', '100'],
  upTo: [
    ['8', 3],
    ['11', 1],
    ['20', 0],
    ['24', 2],
  ],
  above: 3,
};
const SPO2_SCALE_1: Scale = {
  possible: ['0', '100'],
  upTo: [
    ['91', 3],
    ['93', 2],
    ['95', 1],
  ],
  above: 0,
};
const SPO2_SCALE_2_AIR: Scale = {
  possible: ['0', '100'],
  upTo: [
    ['83', 3],
    ['85', 2],
    ['87', 1],
  ],
  above: 0,
};
const SPO2_SCALE_2_OXYGEN: Scale = {
  possible: ['0', '100'],
  upTo: [
    ['83', 3],
    ['85', 2],
    ['87', 1],
    ['92', 0],
    ['94', 1],
    ['96', 2],
  ],
  above: 3,
};
const SYSTOLIC: Scale = {
  possible: ['0', '400'],
  upTo: [
    ['90', 3],
    ['100', 2],
    ['110', 1],
    ['219', 0],
  ],
  above: 3,
};
const PULSE: Scale = {
  possible: ['0', '400'],
  upTo: [
    ['40', 3],
    ['50', 1],
    ['90', 0],
    ['110', 1],
    ['130', 2],
  ],
  above: 3,
};
const TEMPERATURE: Scale = {
  possible: ['10', '50'],
  upTo: [
    ['35.0', 3],
    ['36.0', 1],
    ['38.0', 0],
    ['39.0', 1],
  ],
  above: 2,
};

/** Whole years from which the score is meant for; it is for nobody who is pregnant. */
export const NEWS2_FROM_AGE = 16;

/** Whether the score is for this patient by their age; where that is not known, it is shown. */
export function isForNews2({ bornOn, day }: Pick<Subject, 'bornOn' | 'day'>): boolean {
  return bornOn === null || yearsOn(bornOn, day) >= NEWS2_FROM_AGE;
}

/**
 * The National Early Warning Score 2 with its parts. Scale 2 of SpO₂ asks whether the patient breathes oxygen: while that is not
 * known, a saturation over 92 % has no points by it. Values that are no numbers, or that no patient has, count as not observed.
 */
export function news2(seen: Observations): News2 {
  const parts = {
    respiration: points(RESPIRATION, seen.respiration),
    spo2: spo2Points(seen),
    oxygen: seen.onOxygen === null ? null : seen.onOxygen ? 2 : 0,
    systolic: points(SYSTOLIC, seen.systolic),
    pulse: points(PULSE, seen.pulse),
    consciousness: seen.consciousness === null ? null : seen.consciousness === 'A' ? 0 : 3,
    temperature: points(TEMPERATURE, seen.temperature),
  };
  const known = Object.values(parts).filter((part) => part !== null);
  const sum = known.reduce((total, part) => total + part, 0);
  const isWhole = known.length === NEWS2_PARTS.length;
  const risk = riskOf(sum, known.includes(3));
  return { parts, total: isWhole ? sum : null, risk: isWhole || risk !== 'low' ? risk : null };
}

const CONSCIOUSNESS: readonly unknown[] = ['A', 'C', 'V', 'P', 'U'] satisfies Observations['consciousness'][];

/** The observations among the entries of a form that says which of its fields are NEWS2's; null where it has none of them. */
export function observationsOf(
  fields: readonly TemplateField[],
  entries: readonly Pick<Entry, 'field' | 'value'>[],
): Observations | null {
  if (!fields.some(({ news2 }) => news2)) return null;
  const read = (part: NonNullable<TemplateField['news2']>) => {
    const code = fields.find(({ news2 }) => news2 === part)?.code;
    return entries.find(({ field }) => field === code)?.value || null;
  };
  const [oxygen, consciousness] = [read('oxygen'), read('consciousness')];
  return {
    respiration: read('respiration'),
    spo2: read('spo2'),
    spo2Scale: read('spo2_scale') === '2' ? 2 : 1,
    onOxygen: oxygen === null ? null : oxygen === 'oxygen',
    systolic: read('systolic'),
    pulse: read('pulse'),
    consciousness: CONSCIOUSNESS.includes(consciousness) ? (consciousness as Observations['consciousness']) : null,
    temperature: read('temperature'),
  };
}

function spo2Points({ spo2, spo2Scale, onOxygen }: Observations): number | null {
  if (spo2Scale === 1) return points(SPO2_SCALE_1, spo2);
  if (onOxygen !== null) return points(onOxygen ? SPO2_SCALE_2_OXYGEN : SPO2_SCALE_2_AIR, spo2);
  const [air, oxygen] = [points(SPO2_SCALE_2_AIR, spo2), points(SPO2_SCALE_2_OXYGEN, spo2)];
  return air === oxygen ? air : null;
}

function points({ upTo, above, possible: [from, to] }: Scale, value: string | null): number | null {
  if (value === null || !isDecimal(value)) return null;
  if (compareDecimals(value, from) < 0 || compareDecimals(value, to) > 0) return null;
  return upTo.find(([limit]) => compareDecimals(value, limit) <= 0)?.[1] ?? above;
}

function riskOf(sum: number, hasThree: boolean): News2Risk {
  if (sum >= 7) return 'high';
  if (sum >= 5) return 'medium';
  return hasThree ? 'single_3' : 'low';
}
