import { BedDouble, Clock, FileSignature, Gauge, type LucideIcon, ScrollText } from 'lucide-react';
import type { CensusPath } from '#/features/census/core/census-pages.ts';
import { settingsPathOf } from '#/features/census/core/census-paths.ts';

interface Section {
  readonly id: 'clock' | 'signing' | 'occupancy' | 'log' | 'units';
  readonly label: string;
  readonly icon: LucideIcon;
  readonly text: string;
}

/** The parts of the settings in their order. */
export const sections: readonly Section[] = [
  { id: 'clock', label: 'Census hour', icon: Clock, text: 'When every unit counts, by the facility’s clock.' },
  {
    id: 'signing',
    label: 'Signing',
    icon: FileSignature,
    text: 'Who answers for a day, and until when it can change.',
  },
  { id: 'occupancy', label: 'Occupancy', icon: Gauge, text: 'How full is too full.' },
  { id: 'log', label: 'Log', icon: ScrollText, text: 'How long it can be read, and where its head is kept.' },
  { id: 'units', label: 'Units', icon: BedDouble, text: 'What each unit reports, who reports for it, and its beds.' },
];

export type SectionId = Section['id'];

export function sectionPath(page: CensusPath, id: SectionId): string {
  return `${settingsPathOf(page)}#${id}`;
}
