import { randomUUID } from 'node:crypto';

/** The type of a file with it. */
export const FHIR_JSON = 'application/fhir+json; charset=utf-8';

/** A number that keeps each digit as it was entered: 6.80 is no 6.8 in FHIR, and no binary fraction is ever formed. */
export class FhirDecimal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A resource as JSON text, its decimals with all their digits. */
export function writeFhir(resource: object): string {
  const mark = randomUUID();
  const text = JSON.stringify(resource, (_key, value) =>
    value instanceof FhirDecimal ? `${mark}${value.text}` : value,
  );
  return text.replace(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}
