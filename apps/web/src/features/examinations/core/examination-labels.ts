import type {
  Comparison,
  ExaminationState,
  ExaminationSummary,
  ExaminationType,
  ReferenceRange,
  TemplateField,
} from '@wardline/contract/examinations/examinations.ts';
import type { Interpretation } from '@wardline/contract/interpretation.ts';
import type { News2Part, News2Risk } from '@wardline/examination/news2.ts';
import { rangeFor, type Subject } from '@wardline/examination/reference-range.ts';
import type { ExaminationEvent } from '@wardline/examination/transition.ts';
import type { BadgeTone } from '@wardline/ui/mark/badge.tsx';
import {
  Activity,
  Ban,
  Check,
  FlaskConical,
  HeartPulse,
  History,
  type LucideIcon,
  MessagesSquare,
  OctagonAlert,
  ScanLine,
  Stethoscope,
} from 'lucide-react';
import { momentIn } from '#/shared/time/zoned-time.ts';

const STATES: Readonly<Record<ExaminationState, { word: string; tone: BadgeTone; icon?: LucideIcon }>> = {
  draft: { word: 'Draft', tone: 'neutral' },
  requested: { word: 'Requested', tone: 'info' },
  in_progress: { word: 'In progress', tone: 'primary' },
  reported: { word: 'Reported', tone: 'success', icon: Check },
  amended: { word: 'Amended', tone: 'success', icon: History },
  cancelled: { word: 'Cancelled', tone: 'neutral', icon: Ban },
  entered_in_error: { word: 'Entered in error', tone: 'error', icon: OctagonAlert },
};

/** Its state in a word, with the version of its report where it is signed. */
export function stateBadge({ state, report_version }: Pick<ExaminationSummary, 'state' | 'report_version'>) {
  const { word, ...look } = STATES[state];
  const isSigned = state === 'reported' || state === 'amended';
  return { ...look, word: isSigned ? `${word} v${report_version}` : word };
}

export const TYPE_ICONS: Readonly<Record<ExaminationType, LucideIcon>> = {
  imaging: ScanLine,
  laboratory: FlaskConical,
  vital_signs: Activity,
  physical: Stethoscope,
  ecg: HeartPulse,
  consultation: MessagesSquare,
};

export const TYPE_LABELS: Readonly<Record<ExaminationType, string>> = {
  ...{ imaging: 'Imaging', laboratory: 'Laboratory', vital_signs: 'Vital signs' },
  ...{ physical: 'Physical', ecg: 'ECG', consultation: 'Consultation' },
};

export const FLAG_LABELS: Readonly<Record<Interpretation, string>> = {
  ...{ N: 'Within range', L: 'Low', H: 'High', LL: 'Critically low', HH: 'Critically high' },
  ...{ A: 'Abnormal', AA: 'Critically abnormal', POS: 'Positive', NEG: 'Negative', IND: 'Indeterminate' },
};

export const COMPARISON_LABELS: Readonly<Record<Comparison, string>> = {
  ...{ new: 'New', stable: 'Stable', worse: 'Worse', better: 'Better' },
};

export const EVENT_LABELS: Readonly<Record<ExaminationEvent, string>> = {
  ...{ request: 'Request', start: 'Start', sign: 'Sign report', amend: 'Amend' },
  ...{ return: 'Return to requested', cancel: 'Cancel examination', mark_in_error: 'Mark as entered in error' },
};

/** What is asked before, and what it does. */
export const REASON_TEXTS: Readonly<
  Record<'return' | 'cancel' | 'mark_in_error' | 'amend', { title: string; description: string; submitLabel: string }>
> = {
  return: {
    title: 'Return to requested?',
    description: 'What was entered stays. Whoever starts it again goes on from there.',
    submitLabel: 'Return',
  },
  cancel: {
    title: 'Cancel this examination?',
    description: 'It stays in the chat as cancelled.',
    submitLabel: 'Cancel examination',
  },
  mark_in_error: {
    title: 'Mark as entered in error?',
    description: 'It is struck through for everyone and stays readable.',
    submitLabel: 'Mark as error',
  },
  amend: {
    title: 'Sign the amendment?',
    description: 'Everyone who read an earlier version is asked to acknowledge the change.',
    submitLabel: 'Sign amendment',
  },
};

export const NEWS2_LABELS: Readonly<Record<News2Part, string>> = {
  ...{ respiration: 'Breaths', spo2: 'SpO₂', oxygen: 'Oxygen', systolic: 'Systolic' },
  ...{ pulse: 'Pulse', consciousness: 'Consciousness', temperature: 'Temperature' },
};

/** The answer that the college asks for at each threshold. */
export const RISK_LABELS: Readonly<Record<News2Risk, { word: string; answer: string }>> = {
  low: { word: 'Low', answer: 'Observe at least every 12 h at 0, every 4–6 h at 1–4.' },
  single_3: { word: 'A single 3', answer: 'Urgent ward review. Observe at least every hour.' },
  medium: { word: 'Medium', answer: 'Urgent review by a clinician. Observe at least every hour.' },
  high: { word: 'High', answer: 'Emergency assessment. Monitor continuously.' },
};

/** A value as people read it: a choice by its words, yes and no. */
export function formatValue({ kind, options }: TemplateField, value: string): string {
  if (kind === 'code') return options?.find(({ code }) => code === value)?.label ?? value;
  if (kind === 'boolean') return value === 'yes' ? 'Yes' : value === 'no' ? 'No' : value;
  return value;
}

/** Between which limits it is normal: `3.5–5.3`, `≤ 120`; empty where no limit is stated. */
function formatRange(range: ReferenceRange | null): string {
  const { low, high } = range ?? {};
  if (low !== undefined && high !== undefined) return `${low}–${high}`;
  if (low !== undefined) return `≥ ${low}`;
  return high === undefined ? '' : `≤ ${high}`;
}

/** The same where it is not known of the patient: a range of somebody else is worse than none. */
export function formatRangeOf({ ranges = [] }: TemplateField, subject: Subject): string {
  const range = rangeFor(ranges, subject);
  return range === null && ranges.length > 0 ? 'by age, sex' : formatRange(range);
}

/** Fields by the heading below which they stand: first those that have none, then each in the order in which its heading first comes. */
export function bySection<Field extends Pick<TemplateField, 'section'>>(
  fields: readonly Field[],
): { readonly section: string; readonly fields: readonly Field[] }[] {
  const sections = [...new Set(fields.map(({ section }) => section ?? ''))].toSorted(
    (a, b) => Number(a !== '') - Number(b !== ''),
  );
  return sections.map((section) => ({ section, fields: fields.filter((field) => (field.section ?? '') === section) }));
}

/** When a finding was taken that has a time of its own. */
export function takenAt(instant: string, zone: string): string {
  return `Taken ${momentIn(zone, Date.parse(instant))}`;
}
