import { Email } from '@wardline/contract/values.ts';
import { attributeName } from './filter.ts';
import { type Operation, readOperations } from './operations.ts';
import { invalid } from './scim-error.ts';

/** What a directory says of a person, as it is kept. */
export interface UserAttributes {
  readonly userName: string;
  readonly email: string;
  readonly externalId: string | null;
  readonly displayName: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
  /** Of a member; it is kept with the membership. */
  readonly title: string | null;
  /** Whether they are to be a member; it enables no account and disables none. */
  readonly isActive: boolean;
}

type Changes = { -readonly [Name in keyof UserAttributes]?: UserAttributes[Name] };
type TextName = Exclude<keyof UserAttributes, 'isActive' | 'email'>;

const TEXTS = new Map<string, readonly [TextName, longest: number]>([
  ['username', ['userName', 254]],
  ['externalid', ['externalId', 255]],
  ['displayname', ['displayName', 120]],
  ['name.formatted', ['displayName', 120]],
  ['name.givenname', ['givenName', 120]],
  ['name.familyname', ['familyName', 120]],
  ['title', ['title', 80]],
]);

/** The person that a POST or PUT states. What the server does not keep is left aside, as RFC 7644 allows. */
export function readUser(body: unknown, before: Partial<UserAttributes> = {}): UserAttributes {
  const changes: Changes = {};
  for (const [name, value] of entriesOf(body)) take(changes, attributeName(name), value);
  const { userName } = changes;
  if (userName === undefined) throw invalid('invalidValue', 'userName is required.');
  return {
    userName,
    email: changes.email ?? addressIn(userName) ?? before.email ?? noAddress(),
    externalId: changes.externalId ?? null,
    displayName: changes.displayName ?? null,
    givenName: changes.givenName ?? null,
    familyName: changes.familyName ?? null,
    // Somebody may have written it by hand, so only who speaks of it changes it.
    title: changes.title === undefined ? (before.title ?? null) : changes.title,
    isActive: changes.isActive ?? before.isActive ?? true,
  };
}

/** The same person after the operations of a PATCH, in their order; all of them or none. */
export function patchUser(user: UserAttributes, body: unknown): UserAttributes {
  const patched = { ...user };
  for (const operation of readOperations(body)) Object.assign(patched, changesOf(operation));
  return patched;
}

function changesOf({ op, path, value }: Operation): Changes {
  const changes: Changes = {};
  if (path === null) {
    if (op === 'remove') throw invalid('noTarget', 'remove needs a path.');
    for (const [name, given] of entriesOf(value)) take(changes, attributeName(name), given);
    return changes;
  }
  const name = attributeName(path);
  if (op !== 'remove') take(changes, name, value);
  else if (name === 'name') Object.assign(changes, { displayName: null, givenName: null, familyName: null });
  else if (name === 'username' || name === 'active' || name === 'emails') throw invalid('mutability', `${path} stays.`);
  else forget(changes, name);
  return changes;
}

function forget(changes: Changes, name: string): void {
  const [field] = TEXTS.get(name) ?? [];
  if (field !== undefined) changes[field] = null as never;
}

function take(changes: Changes, name: string, value: unknown): void {
  if (name === 'active') changes.isActive = readBoolean(value);
  else if (name === 'emails') changes.email = readAddress(value) ?? changes.email ?? noAddress();
  else if (name === 'name')
    for (const [part, given] of entriesOf(value)) take(changes, `name.${part.toLowerCase()}`, given);
  else {
    const [field, longest] = TEXTS.get(name) ?? [];
    if (field === undefined || longest === undefined) return;
    const text = readText(value, { name, longest });
    if (field === 'userName' && text === null) throw invalid('invalidValue', 'userName is required.');
    // A name of its own counts more than the one put together.
    if (name === 'name.formatted' && changes.displayName) return;
    changes[field] = text as never;
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('invalidSyntax', 'An object with attributes is needed.');
  }
  return Object.entries(value);
}

/** Entra sends "True" and "False". */
function readBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalid('invalidValue', 'active is true or false.');
}

function readText(value: unknown, { name, longest }: { name: string; longest: number }): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value !== 'string') throw invalid('invalidValue', `${name} is a text.`);
  const text = value.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what no database and no page takes
  if (text.length > longest || /[\u0000-\u001f\u007f]/.test(text))
    throw invalid('invalidValue', `${name} is one line of at most ${longest} characters.`);
  return text === '' ? null : text;
}

/** Of a list the primary one, else the first; of a single text, as a path with a kind has it, the text. */
function readAddress(value: unknown): string | undefined {
  const list = Array.isArray(value) ? value : [value];
  const addresses = list.map((one) => (typeof one === 'object' && one !== null ? one : { value: one }));
  const chosen = addresses.find((one) => 'primary' in one && readBoolean(one.primary)) ?? addresses[0];
  if (chosen === undefined || !('value' in chosen) || typeof chosen.value !== 'string') return undefined;
  return addressIn(chosen.value) ?? noAddress();
}

function addressIn(text: string): string | undefined {
  const read = Email.safeParse(text);
  return read.success ? read.data : undefined;
}

function noAddress(): never {
  throw invalid('invalidValue', 'An email address is needed, in emails or as userName.');
}
