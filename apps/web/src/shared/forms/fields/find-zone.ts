import { isZone } from '@wardline/format/zone.ts';

/** The zones that this device knows by name. */
export function knownZones(): readonly string[] {
  return Intl.supportedValuesOf('timeZone');
}

/** The zone of this name, or of the one city that is called so: 'Dublin', 'new york'; null where there is none, or several. */
export function findZone(text: string): string | null {
  const named = text.trim();
  const wanted = foldZone(named);
  if (wanted === '') return null;
  const same = knownZones().find((zone) => foldZone(zone) === wanted);
  if (same !== undefined) return same;
  if (isZone(named)) return named;
  const cities = knownZones().filter((zone) => foldZone(zone.slice(zone.lastIndexOf('/') + 1)) === wanted);
  return cities.length === 1 ? (cities[0] ?? null) : null;
}

/** What is said of a text that is no time zone; undefined where it is one. */
export function checkZone(text: string): string | undefined {
  if (findZone(text) !== null) return undefined;
  return `There is no time zone “${text.trim()}”. Type a city or a region and choose one from the list.`;
}

function foldZone(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_]+/g, ' ');
}
