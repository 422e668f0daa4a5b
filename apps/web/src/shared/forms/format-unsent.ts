import { counted } from '@wardline/format/counts.ts';

const nouns: Readonly<Record<string, string>> = {
  ...{ message: 'message', 'census-report': 'report', 'examination-move': 'examination step' },
};

/** How much unsent work, in words: messages, reports, or items where there are several kinds. */
export function formatUnsent(count: number, kinds: readonly string[]): string {
  const [kind = '', ...others] = kinds;
  const noun = others.length === 0 ? (nouns[kind] ?? 'item') : 'item';
  return counted(count, noun);
}
