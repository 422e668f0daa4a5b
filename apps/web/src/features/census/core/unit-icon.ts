/** By the kind a facility gives its units, in any case; the words are the facility's own. */
const icons: ReadonlyMap<string, string> = new Map([
  ['ward', 'bed-double'],
  ['emergency', 'siren'],
  ['day', 'sun'],
  ['intensive care', 'heart-pulse'],
  ['intensive', 'heart-pulse'],
  ['icu', 'heart-pulse'],
  ['maternity', 'baby'],
  ['neonatal', 'baby'],
  ['surgical', 'scissors'],
  ['surgery', 'scissors'],
  ['orthopaedic', 'bone'],
  ['psychiatric', 'brain'],
  ['psychiatry', 'brain'],
]);

/** The name of the icon that stands for units of this kind. */
export function unitIcon(kind: string): string {
  return `lucide:${icons.get(kind.trim().toLowerCase()) ?? 'bed'}`;
}
