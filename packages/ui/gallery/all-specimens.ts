import { GROUPS, type Specimen } from './specimen.ts';

const files = import.meta.glob<{ specimen: Specimen }>('./specimens/**/*.tsx', { eager: true });

/** The sections in the order of their groups, by title within a group. */
export const specimens: readonly Specimen[] = Object.values(files)
  .map(({ specimen }) => specimen)
  .sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) || a.title.localeCompare(b.title));
