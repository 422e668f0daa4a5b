const TITLE = /^\p{L}{2,}\.$/u;

/**
 * The initials of up to two words of a name, in capitals: 'Ana Reyes' gives 'AR'. A leading title that ends in a full
 * stop ('Dr. Mira Okafor') does not count, unless nothing else is there.
 */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const isTitled = words.length > 1 && TITLE.test(words[0] ?? '');
  return (isTitled ? words.slice(1) : words)
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toLocaleUpperCase();
}
