import { BedDouble, Clock, FileSignature, Gauge, type LucideIcon, ScrollText } from 'lucide-react';
import type { CensusPath } from '../census-pages.ts';
import { settingsPathOf } from '../census-paths.ts';

interface Section {
  readonly id: 'clock' | 'signing' | 'occupancy' | 'log' | 'units';
  readonly label: string;
  readonly icon: LucideIcon;
  readonly text: string;
}

/** The parts of the settings in their order. */
export const sections: readonly Section[] = [
  { id: 'clock', label: 'Census hour', icon: Clock, text: 'When every unit counts, in the facility’s time zone.' },
  {
    id: 'signing',
    label: 'Signing',
    icon: FileSignature,
    text: 'Who signs a day, and until when it can change.',
  },
  { id: 'occupancy', label: 'Occupancy', icon: Gauge, text: 'When a unit counts as full.' },
  { id: 'log', label: 'Log', icon: ScrollText, text: 'How long entries can be read, and who gets the log head.' },
  { id: 'units', label: 'Units', icon: BedDouble, text: 'What each unit reports, who reports for it, and its beds.' },
];

export type SectionId = Section['id'];

export function sectionPath(page: CensusPath, id: SectionId): string {
  return `${settingsPathOf(page)}#${id}`;
}
