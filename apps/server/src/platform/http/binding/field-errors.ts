import type * as z from 'zod/mini';

type Issue = z.core.$ZodIssue;

/**
 * What is wrong with what was sent, by field, in the sentences of Laravel's validator. Only what it has no sentence for is
 * said in the contract's own.
 */
export function fieldErrors(error: z.core.$ZodError | undefined, sent: unknown): Record<string, string[]> {
  // A map, since whoever sends the request chooses the names: `__proto__` and `toString` are names like any other.
  const fields = new Map<string, string[]>();
  for (const issue of error?.issues ?? []) {
    const paths = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')];
    const text = sentenceOf(issue, valueAt(sent, issue.path));
    for (const path of paths) {
      const said = fields.get(path || 'body') ?? [];
      fields.set(path || 'body', said.includes(text) ? said : [...said, text]);
    }
  }
  return Object.fromEntries(fields);
}

/** The first sentence and how many more there are; null where there is none. */
export function messageOf(fields: Readonly<Record<string, readonly string[]>>): string | null {
  const [first, ...others] = Object.values(fields).flat();
  if (first === undefined) return null;
  return others.length === 0 ? first : `${first} (and ${others.length} more error${others.length === 1 ? '' : 's'})`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be an integer',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
};
const FORMATS: Readonly<Record<string, string>> = {
  date: 'must be a valid date',
  datetime: 'must be a valid date',
  uuid: 'must be a valid UUID',
};
/** Sentences of the contract that Laravel has one for. */
const OF_CONTRACT: Readonly<Record<string, string>> = {
  'This is not an email address.': 'must be a valid email address',
  'This is not an id.': 'must be a valid UUID',
  'This is not a whole number.': 'must be an integer',
};
/** What zod says where the contract says nothing of its own. */
const UNSAID = 'Invalid input';

function sentenceOf(issue: Issue, value: unknown): string {
  const field = `The ${nameOf(issue.path)} field`;
  if (issue.code === 'unrecognized_keys') return 'This field is not known.';
  if (isMissing(value)) return `${field} is required.`;
  switch (issue.code) {
    case 'invalid_type':
      return `${field} ${KINDS[issue.expected] ?? 'is invalid'}.`;
    case 'too_small':
      return `${field} must ${leastOf(issue)}.`;
    case 'too_big':
      return `${field} must not ${mostOf(issue)}.`;
    case 'invalid_value':
      return `The selected ${nameOf(issue.path)} is invalid.`;
    case 'invalid_format':
      return ownSentence(issue.message, field) ?? `${field} ${FORMATS[issue.format] ?? 'format is invalid'}.`;
    case 'custom':
      // The contract's one check without a sentence of its own: a password and its confirmation.
      return ownSentence(issue.message, field) ?? `${field} confirmation does not match.`;
    default:
      return ownSentence(issue.message, field) ?? `${field} is invalid.`;
  }
}

function ownSentence(message: string, field: string): string | null {
  const known = OF_CONTRACT[message];
  if (known !== undefined) return `${field} ${known}.`;
  return message === UNSAID ? null : message;
}

function leastOf({ origin, minimum }: Extract<Issue, { code: 'too_small' }>): string {
  if (origin === 'string') return `be at least ${minimum} characters`;
  return origin === 'array' ? `have at least ${minimum} items` : `be at least ${minimum}`;
}

function mostOf({ origin, maximum }: Extract<Issue, { code: 'too_big' }>): string {
  if (origin === 'string') return `be greater than ${maximum} characters`;
  return origin === 'array' ? `have more than ${maximum} items` : `be greater than ${maximum}`;
}

/** As Laravel reads it: what is blank was not filled in. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** The innermost name, in words. */
function nameOf(path: readonly PropertyKey[]): string {
  const name = path.findLast((part) => typeof part === 'string') ?? 'body';
  return String(name).replaceAll('_', ' ');
}

function valueAt(sent: unknown, path: readonly PropertyKey[]): unknown {
  let value = sent;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}
