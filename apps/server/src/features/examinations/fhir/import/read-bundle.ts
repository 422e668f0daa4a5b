import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { FhirDecimal } from '#/platform/fhir/fhir-json.ts';
import type { Resource } from '#/platform/fhir/resources.ts';
import { invalidField } from '#/platform/http/app-error.ts';

const MOST_ENTRIES = 5000;
const DEEPEST = 30;
const URN = 'urn:uuid:';
/** A text of JSON, a number of it, or what makes it deeper. A number keeps its digits by becoming a text. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[[{]|[\]}]/g;
/** What a browser would run. Nothing here draws it; a report that carries it is no report. */
const PROGRAM = /<\s*(?:script|iframe|object|embed)\b|\bjavascript:/i;
/** What no text has and the database does not take. */
const NO_TEXT = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

const Bundle = z.object({
  resourceType: z.literal('Bundle'),
  type: z.literal('collection'),
  entry: z
    .array(
      z.object({
        fullUrl: z.string(),
        resource: z.looseObject({ resourceType: z.string().check(z.regex(/^[A-Z][A-Za-z]{1,60}$/)), id: z.uuid() }),
      }),
    )
    .check(z.minLength(1), z.maxLength(MOST_ENTRIES)),
});

/** A resource with its place in the file. */
export interface Placed {
  readonly resource: Resource;
  readonly line: number;
}
export type ReadBundle = ReadonlyMap<string, Placed>;

/** The resources of a FHIR R4 Bundle by their ids, its decimals digit by digit. Refused in words where it is no such file, or not whole. */
export function readBundle(file: Buffer): ReadBundle {
  const { success, data } = Bundle.safeParse(readJson(file));
  if (!success) throw refused('This is not a FHIR file of reports: a Bundle of the type collection is needed.');
  const found = new Map<string, Placed>();
  for (const [index, { fullUrl, resource }] of data.entry.entries()) {
    const line = index + 1;
    if (fullUrl !== `${URN}${resource.id}`) throw refused(`Entry ${line} is not named by its id.`);
    if (found.has(resource.id)) throw refused(`Entry ${line} is in the file twice.`);
    found.set(resource.id, { resource, line });
  }
  const leads = new Map([...found].map(([id, placed]) => [id, checked(placed, found)]));
  if (hasCircle(leads)) throw refused('The entries of the file lead to each other in a circle.');
  return found;
}

/** The id that a reference names within its bundle. */
export function idOfReference(reference: string | undefined): string {
  return reference?.startsWith(URN) ? reference.slice(URN.length) : '';
}

function readJson(file: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(file);
    const mark = randomUUID();
    let depth = 0;
    const marked = text.replace(TOKENS, (token) => {
      const [first] = token;
      if (first === '"') return token;
      if (first === '[' || first === '{') depth += 1;
      else if (first === ']' || first === '}') depth -= 1;
      else return `"${mark}${token}"`;
      if (depth > DEEPEST) throw new RangeError('too deep');
      return token;
    });
    return JSON.parse(marked, (_key, value) =>
      typeof value === 'string' && value.startsWith(mark) ? new FhirDecimal(value.slice(mark.length)) : value,
    );
  } catch {
    throw refused('This file cannot be read as FHIR in JSON.');
  }
}

/** What a resource leads to, all of it in the file; refused where its text is a program. */
function checked({ resource, line }: Placed, found: ReadBundle): readonly string[] {
  const leads: string[] = [];
  const look = (value: unknown, key: string): void => {
    if (NO_TEXT.test(typeof value === 'string' ? value : key))
      throw refused(`Entry ${line} has letters that are none.`);
    if (typeof value === 'string') {
      if (key === 'reference') leads.push(value);
      if (resource.resourceType !== 'Communication' && PROGRAM.test(value)) {
        throw refused(`Entry ${line} has a program in its text.`);
      }
    } else if (typeof value === 'object' && value !== null && !(value instanceof FhirDecimal)) {
      for (const [name, part] of Object.entries(value)) look(part, name);
    }
  };
  look(resource, '');
  return leads.map((reference) => {
    const id = idOfReference(reference);
    if (!found.has(id)) throw refused(`Entry ${line} leads to something that is not in the file.`);
    return id;
  });
}

function hasCircle(leads: ReadonlyMap<string, readonly string[]>): boolean {
  const open = new Map([...leads.keys()].map((id) => [id, 0]));
  for (const targets of leads.values()) for (const id of targets) open.set(id, (open.get(id) ?? 0) + 1);
  // What nothing leads to any more is taken away; what cannot be is a circle.
  const free = [...open].filter(([, count]) => count === 0).map(([id]) => id);
  let taken = 0;
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    taken += 1;
    for (const target of leads.get(id) ?? []) {
      const count = (open.get(target) ?? 0) - 1;
      open.set(target, count);
      if (count === 0) free.push(target);
    }
  }
  return taken < leads.size;
}

function refused(message: string) {
  return invalidField('file', message);
}
