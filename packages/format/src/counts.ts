/** What stands where there is no figure: no denominator, or nobody knows. */
export const NO_FIGURE = '–';

/** A whole number: `48,212`, `−3`. */
export function formatCount(count: number | null): string {
  return count === null ? NO_FIGURE : grouped(String(Math.trunc(count)));
}

/** `1 unit`, `3 units`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Digits as text, with a comma at the thousands and a real minus. */
export function grouped(digits: string): string {
  const [whole = '', ...fraction] = digits.split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.').replace('-', '−');
}
