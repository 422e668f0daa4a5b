import type { Patient } from '@wardline/contract/chat/chat.ts';
import { v5 } from 'uuid';

export const LOINC = 'http://loinc.org';
export const HL7 = 'http://terminology.hl7.org/CodeSystem';
/** The system of an identifier whose value is a URI. */
export const URI = 'urn:ietf:rfc:3986';

export interface Resource {
  readonly resourceType: string;
  readonly id: string;
  readonly [element: string]: unknown;
}

interface Person {
  readonly user_id: string;
  readonly name: string;
}

/** The id of what has none of its own here: always the same for the same thing. */
export function idOf(namespace: string, name: string): string {
  return v5(name, namespace);
}

/** Within a bundle everything is named by its id. */
export function referenceTo({ id }: Pick<Resource, 'id'>, display?: string) {
  return { reference: `urn:uuid:${id}`, ...(display === undefined ? {} : { display }) };
}

export function referenceToPerson({ user_id: id, name }: Person) {
  return referenceTo({ id }, name);
}

export function practitioner({ user_id, name }: Person): Resource {
  return { resourceType: 'Practitioner', id: user_id, name: [{ text: name }] };
}

/** The patient of a case: what the chat knows of them, the number as the facility's own. */
export function patientOf(facilityId: string, { name, identifier, born_on }: Patient): Resource {
  return {
    resourceType: 'Patient',
    id: idOf(facilityId, identifier),
    identifier: [
      {
        type: { coding: [{ system: `${HL7}/v2-0203`, code: 'MR' }] },
        system: `urn:uuid:${facilityId}`,
        value: identifier,
      },
    ],
    name: [{ text: name }],
    ...(born_on === null ? {} : { birthDate: born_on }),
  };
}

/** Names a text by its SHA-256 (RFC 6920), given in hexadecimal. */
export function hashIdentifier(sha256: string) {
  return { system: URI, value: `ni:///sha-256;${Buffer.from(sha256, 'hex').toString('base64url')}` };
}

/** Each resource once, in the order of its first mention. */
export function collection(resources: readonly Resource[], at: Date): object {
  const once = new Map(resources.map((resource) => [resource.id, resource]));
  return {
    resourceType: 'Bundle',
    type: 'collection',
    timestamp: at.toISOString(),
    entry: [...once.values()].map((resource) => ({ fullUrl: `urn:uuid:${resource.id}`, resource })),
  };
}
