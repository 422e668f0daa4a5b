import { Id } from '@wardline/contract/values.ts';
import { attributeName, parseFilter } from './filter.ts';
import { type Operation, readOperations } from './operations.ts';
import { invalid } from './scim-error.ts';

interface Group {
  readonly displayName: string;
  readonly memberIds: ReadonlySet<string>;
}

const MOST_MEMBERS = 1000;

/** The members that a PUT states. Its name stays: roles are named and made in the facility's settings. */
export function readMembers(group: Group, body: unknown): Set<string> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('invalidSyntax', 'A group is needed.');
  let members = new Set<string>();
  for (const [name, value] of Object.entries(body)) {
    const attribute = attributeName(name);
    if (attribute === 'displayname') mustBeName(group, value);
    if (attribute === 'members') members = idsIn(value);
  }
  return members;
}

/** The members after the operations of a PATCH, in their order. */
export function patchMembers(group: Group, body: unknown): Set<string> {
  let members = new Set(group.memberIds);
  for (const operation of readOperations(body)) {
    for (const { name, value } of targetsOf(operation)) {
      if (name === 'displayname') mustBeName(group, value);
      if (name === 'members') members = applyTo(members, operation, value);
    }
  }
  return members;
}

/** An operation without a path names what it changes in its value. */
function targetsOf({ path, op, value }: Operation): { name: string; value: unknown }[] {
  if (path !== null) return [{ name: attributeName(path), value }];
  if (op === 'remove' || typeof value !== 'object' || value === null) throw invalid('noTarget', 'Which attribute?');
  return Object.entries(value).map(([name, given]) => ({ name: attributeName(name), value: given }));
}

function applyTo(members: ReadonlySet<string>, { op, path }: Operation, value: unknown): Set<string> {
  const [, inner] = /\[(.*)\]/.exec(path ?? '') ?? [];
  const chosen = inner === undefined ? null : new Set(parseFilter(inner).map(({ value: id }) => id.toLowerCase()));
  if (op === 'remove') {
    const leaving = chosen ?? (value === undefined ? members : idsIn(value));
    return new Set([...members].filter((id) => !leaving.has(id)));
  }
  if (chosen !== null) throw invalid('invalidPath', 'Members are added by their list.');
  return op === 'add' ? new Set([...members, ...idsIn(value)]) : idsIn(value);
}

function idsIn(value: unknown): Set<string> {
  const list: unknown[] = value === null ? [] : [value].flat();
  if (list.length > MOST_MEMBERS) throw invalid('tooMany', `At most ${MOST_MEMBERS} members at once.`);
  return new Set(
    list.map((one) => {
      const given = typeof one === 'object' && one !== null && 'value' in one ? one.value : one;
      const id = Id.safeParse(typeof given === 'string' ? given.toLowerCase() : given);
      if (!id.success) throw invalid('invalidValue', 'A member is named by its id.');
      return id.data;
    }),
  );
}

function mustBeName({ displayName }: Group, value: unknown): void {
  if (value !== displayName) throw invalid('mutability', 'A role is named in the settings of the facility.');
}
