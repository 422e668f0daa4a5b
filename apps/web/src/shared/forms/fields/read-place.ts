import { refusal } from '#/shared/errors/refusal.ts';

interface Place {
  readonly latitude: number | null;
  readonly longitude: number | null;
}

interface TypedPlace {
  readonly latitude: string;
  readonly longitude: string;
}

const MOST = { latitude: 90, longitude: 180 } as const;

/** Degrees as they were typed, with a point or a comma and either sign for minus; nothing is null, no number is refused. */
export function readPlace(typed: TypedPlace): Place {
  const place = readBoth(typed);
  const wrong = Object.entries(place).filter(([, degrees]) => Number.isNaN(degrees));
  if (wrong.length > 0) throw refusal(Object.fromEntries(wrong.map(([field]) => [field, NO_DEGREES])));
  return place;
}

const NO_DEGREES = 'Enter degrees, such as 52.52.';

/** What is wrong with them as they were typed: no number, too far, or one without the other. */
export function checkPlace(typed: TypedPlace): Partial<Record<keyof Place, string>> {
  const place = readBoth(typed);
  const wrong: Partial<Record<keyof Place, string>> = {};
  for (const field of ['latitude', 'longitude'] as const) {
    const degrees = place[field];
    const other = field === 'latitude' ? place.longitude : place.latitude;
    if (degrees === null && other !== null) wrong[field] = 'Both or neither: latitude and longitude.';
    if (Number.isNaN(degrees)) wrong[field] = NO_DEGREES;
    if (Math.abs(degrees ?? 0) > MOST[field]) wrong[field] = `Between −${MOST[field]} and ${MOST[field]}.`;
  }
  return wrong;
}

function readBoth({ latitude, longitude }: TypedPlace): Place {
  return { latitude: readDegrees(latitude), longitude: readDegrees(longitude) };
}

function readDegrees(text: string): number | null {
  const plain = text.trim().replace('−', '-').replace(',', '.');
  return plain === '' ? null : Number(plain);
}
