import { Fhir } from 'fhir/fhir.js';
import { expect } from 'vitest';
import type { TestClient } from './test-client.ts';

/** A resource as a reader of the file finds it. */
export interface FhirResource {
  readonly resourceType: string;
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: a resource of any kind, as a reader of it finds it
  readonly [element: string]: any;
}

const validator = new Fhir();

/** What a receiving system has: text that an independent validator takes, each reference leading to what is in it. */
export async function readFhir(
  client: TestClient,
  path: string,
): Promise<{ text: string; of: (kind: string) => FhirResource[] }> {
  const answer = await client.send('GET', path);
  expect(answer.headers['content-type']).toBe('application/fhir+json; charset=utf-8');
  const bundle = JSON.parse(answer.body);
  const { valid, messages } = validator.validate(bundle, { errorOnUnexpected: true });
  expect(messages.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(valid).toBe(true);
  const resources: FhirResource[] = bundle.entry.map(({ resource }: { resource: FhirResource }) => resource);
  const urns = bundle.entry.map(({ fullUrl }: { fullUrl: string }) => fullUrl);
  expect(new Set(urns).size).toBe(urns.length);
  for (const [, urn] of answer.body.matchAll(/"reference":"([^"]+)"/g)) expect(urns).toContain(urn);
  return { text: answer.body, of: (kind) => resources.filter(({ resourceType }) => resourceType === kind) };
}
