import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { AnyEndpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { ERRORS } from './errors.ts';
import { Cursor, Email, Id } from './values.ts';

const API = '../../../docs/api.md';

it('A29 the contract is as docs/api.md says: addresses, who may call them, what is asked first, what may be sent, codes', async () => {
  const sections = [
    INTRODUCTION,
    '## Requests',
    ...endpoints.toSorted(byPath).map(requestSection),
    '## Errors',
    ['| code | status | what is said |', '| --- | --- | --- |', ...Object.entries(ERRORS).map(errorRow)].join('\n'),
  ];
  await expect(`${sections.join('\n\n')}\n`).toMatchFileSnapshot(API);
});

const INTRODUCTION = `# The contract
Every request that the server answers, with what may be sent. Other back ends answer the same (\`docs/laravel.md\`); the answers' shapes are in the
OpenAPI document that a running server gives at \`/api/openapi.json\`.

Made from \`packages/contract\` by \`npx vitest run packages/contract/src/endpoints.test.ts -u\`, and compared with it in every test run, so that
nothing here changes unseen.

A field with \`?\` may be left out, \`null\` may be sent where it stands, and a field that is not named is refused, save a header and where \`[any]\` stands. Of texts and lists the length
stands in brackets, of numbers the range. An \`id\` is a UUID in small letters.`;

const patternOf = (schema: z.ZodMiniType) => z.toJSONSchema(schema, { io: 'input' }).pattern ?? '';
const NAMES: Readonly<Record<string, string>> = {
  [patternOf(Id)]: 'id',
  [patternOf(Email)]: 'e-mail address',
  [patternOf(Cursor)]: 'cursor',
};

function byPath(one: AnyEndpoint, other: AnyEndpoint): number {
  return one.path.localeCompare(other.path, 'en') || one.method.localeCompare(other.method, 'en');
}

function requestSection(endpoint: AnyEndpoint): string {
  const { method, path, summary, access, asksPassword, cookieless, status, file, stream, isDownload } = endpoint;
  const marks = [
    access === 'public' ? 'anybody' : 'signed in',
    asksPassword && 'password confirmed lately',
    cookieless && 'also without cookies',
    file && `takes a file as \`${file}\``,
    stream && `takes \`${stream}\``,
    isDownload && 'answers a file',
    `${status}`,
  ].filter(Boolean);
  const { params, headers = z.strictObject({}), query, body } = endpoint;
  const sent = Object.entries({ path: params, headers, query, body })
    .map(([where, schema]) => ({
      where,
      shape: shapeOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
    }))
    .filter(({ shape }) => shape !== '{}' && shape !== 'anything')
    .map(({ where, shape }) => `- ${where}: \`${shape}\``);
  return [`### ${method} ${path}`, `${summary} (${marks.join(', ')})`, ...(sent.length > 0 ? ['', ...sent] : [])].join(
    '\n',
  );
}

/** As much of JSON Schema as the contract uses. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

function shapeOf(given: unknown): string {
  const schema = given as Schema;
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return either.map(shapeOf).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const { type, minLength, maxLength, minimum, maximum, minItems, maxItems, items } = schema;
  if (type === 'object') return objectShape(schema);
  if (type === 'array') return `list${range(minItems, maxItems)} of (${shapeOf(items ?? {})})`;
  if (type === 'string') return `${textOf(schema)}${range(minLength, maxLength)}`;
  return `${type ?? 'anything'}${range(minimum, maximum)}`;
}

function textOf({ format, pattern }: Schema): string {
  if (pattern === undefined || format) return format ?? 'text';
  return NAMES[pattern] ?? `text like /${pattern}/`;
}

function objectShape({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${shapeOf(schema)}`,
  );
  const others = additionalProperties === undefined ? ['[any]: ignored'] : [];
  if (typeof additionalProperties === 'object') others.push(`[any]: ${shapeOf(additionalProperties)}`);
  const all = [...fields, ...others];
  return all.length > 0 ? `{ ${all.join(', ')} }` : '{}';
}

/** Nothing of the bounds of whole numbers as such. */
function range(from?: number, to?: number): string {
  const [low, high] = [from, to].map((bound) =>
    Math.abs(bound ?? Infinity) < Number.MAX_SAFE_INTEGER ? bound : undefined,
  );
  if (low === undefined && high === undefined) return '';
  if (low === high) return `[${low}]`;
  return `[${low ?? ''}…${high ?? ''}]`;
}

function errorRow([code, { status, message }]: [
  string,
  { readonly status: number; readonly message: string },
]): string {
  return `| \`${code}\` | ${status} | ${message} |`;
}
