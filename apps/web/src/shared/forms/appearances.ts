import type { ColourPreference } from '@wardline/ui/colour-mode/colour-mode.ts';
import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react';

interface Appearance {
  readonly value: ColourPreference;
  readonly label: string;
  readonly icon: LucideIcon;
}

/** The modes one can choose from, by the names they have everywhere. */
export const appearances: readonly Appearance[] = [
  { value: 'system', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
];
