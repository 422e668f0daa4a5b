import type { LucideIcon } from 'lucide-react';
import type { PillTone } from '#/mark/pill.tsx';

/** 'page' is this very page; 'section' is a page further inside, whose own entry is marked. */
export type Current = 'page' | 'section';

export type NavCount = {
  count: number;
  /** What a screen reader says: '6 unread'. */
  label: string;
  tone?: PillTone;
};

/** One entry of the frame's navigation, the same in the rail and in the bottom bar. */
export type NavItem = {
  href: string;
  label: string;
  icon: LucideIcon;
  current?: Current | undefined;
  badge?: NavCount | undefined;
  /** Shown in the wide rail while the section is open. */
  children?: ReadonlyArray<{ href: string; label: string; current?: Current | undefined }> | undefined;
};

/** The attribute that tells assistive technology (and the style sheet) where one is. */
export function ariaCurrent(current: Current | undefined): { 'aria-current'?: 'page' | 'true' } {
  if (current === undefined) return {};
  return { 'aria-current': current === 'page' ? 'page' : 'true' };
}
