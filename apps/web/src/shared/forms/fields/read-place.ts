import { refusal } from '#/shared/errors/refusal.ts';

interface Place {
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** Degrees as they were typed, with a point or a comma and either sign for minus; nothing is null, no number is refused. */
export function readPlace(typed: { readonly latitude: string; readonly longitude: string }): Place {
  const place = { latitude: readDegrees(typed.latitude), longitude: readDegrees(typed.longitude) };
  const wrong = Object.entries(place).filter(([, degrees]) => Number.isNaN(degrees));
  if (wrong.length > 0)
    throw refusal(Object.fromEntries(wrong.map(([field]) => [field, 'Enter degrees, such as 52.52.'])));
  return place;
}

function readDegrees(text: string): number | null {
  const plain = text.trim().replace('−', '-').replace(',', '.');
  return plain === '' ? null : Number(plain);
}
