import { invalid } from './scim-error.ts';

/** One operation of a PATCH (RFC 7644, section 3.5.2). */
export interface Operation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string | null;
  readonly value: unknown;
}

const MOST_OPERATIONS = 200;
const PATH = /^[a-z][\w$:.-]*(\[[^[\]]{1,300}\])?(\.[a-z]\w*)?$/i;

/** Entra writes the names of operations with a capital letter. */
export function readOperations(body: unknown): Operation[] {
  const stated = nameless(body)['operations'];
  if (!Array.isArray(stated) || stated.length === 0) throw invalid('invalidSyntax', 'Operations is a list.');
  if (stated.length > MOST_OPERATIONS) throw invalid('tooMany', `At most ${MOST_OPERATIONS} operations.`);
  return stated.map((one: unknown) => {
    const { op: name, path = null, value } = nameless(one);
    const op = typeof name === 'string' ? name.toLowerCase() : '';
    if (op !== 'add' && op !== 'remove' && op !== 'replace')
      throw invalid('invalidSyntax', 'op is add, remove or replace.');
    if (path !== null && (typeof path !== 'string' || !PATH.test(path)))
      throw invalid('invalidPath', 'This is no path.');
    if (op !== 'remove' && value === undefined) throw invalid('invalidValue', `${op} needs a value.`);
    return { op, path: path === '' ? null : path, value };
  });
}

/** Names of attributes count without regard to case. */
function nameless(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('invalidSyntax', 'An object is needed.');
  }
  return Object.fromEntries(Object.entries(value).map(([name, given]) => [name.toLowerCase(), given]));
}
