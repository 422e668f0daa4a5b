import type { ImportRow, importCensus } from '@wardline/contract/census-exchange.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';

export const OUTCOME_WORDS: Readonly<Record<ImportRow['outcome'], string>> = {
  new: 'New',
  changed: 'Changed',
  unchanged: 'Unchanged',
  refused: 'Refused',
};

/** What a file comes to, in a sentence or two. */
export function importWords({ is_applied, counts }: ReplyOf<typeof importCensus>): string {
  const changes = counts.new + counts.changed;
  if (is_applied) return `${lines(changes)} stored, ${counts.unchanged} unchanged.`;
  if (counts.refused > 0) {
    return `${lines(counts.refused)} refused, so nothing was imported. Correct them and choose the file again.`;
  }
  if (changes === 0) return 'Everything in the file is stored already.';
  return `${lines(counts.new)} new, ${counts.changed} changed, ${counts.unchanged} unchanged. Nothing is stored yet.`;
}

function lines(number: number): string {
  return number === 1 ? '1 line' : `${number} lines`;
}
