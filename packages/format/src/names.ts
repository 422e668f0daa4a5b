const TITLE = /^\p{L}{2,}\.$/u;

/** Several names in a sentence: `ICU, PED and ONC`. */
export function formatList(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

/** The name by which a person is greeted: `Mira` of `Dr. Mira Okafor`. */
export function firstName(name: string): string {
  return name.split(/\s+/).find((part) => !part.endsWith('.')) ?? name;
}

/**
 * The initials of up to two words of a name, in capitals: 'Ana Reyes' gives 'AR'. A leading title that ends in a full
 * stop ('Dr. Mira Okafor') does not count, unless nothing else is there; nor does what stands in brackets.
 */
export function initials(name: string): string {
  const text = name.split(/\s+/u).filter((word) => word !== '' && !word.startsWith('('));
  const isTitled = text.length > 1 && TITLE.test(text[0] ?? '');
  return (isTitled ? text.slice(1) : text)
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase();
}

/**
 * What somebody who holds an on-call role is: 'on call as Cardiologist'. Where the role's name says it itself ('Medical registrar on
 * call', 'On-call pharmacist'), it is said once.
 */
export function formatOnCallAs(role: string): string {
  const rest = role.replace(/^on[ -]call\b[\s:,-]*|[\s,-]*\(?\bon[ -]call\)?$/giu, '').trim();
  return rest === '' ? 'on call' : `on call as ${rest}`;
}

/**
 * The number of a patient as it is compared: letters and digits in small letters, without `MRN` before them, since it is typed with or
 * without its dashes; '' where it has neither. The database has `fold_identifier`, for which such a number is itself.
 */
export function foldIdentifier(identifier: string): string {
  return identifier
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/^mrn/, '');
}

/** The second identifier of a patient as it stands beside the name. */
export function formatIdentifier(identifier: string): string {
  return /^mrn\b/i.test(identifier) ? identifier : `MRN ${identifier}`;
}

/** A patient in a line: the name and a second identifier. */
export function formatPatient({ name, identifier }: { readonly name: string; readonly identifier: string }): string {
  return `${name}, ${formatIdentifier(identifier)}`;
}
