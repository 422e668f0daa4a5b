import { ClientConfig } from '@wardline/contract/config.ts';
import { CONFIG_TEXTS, type ConfigTexts } from '@wardline/contract/config-texts.ts';
import * as z from 'zod/mini';
import { ConfigProblem } from './config-problem.ts';

const LONGEST_VALUE = 80;
const GROUP: ConfigTexts = { allowed: 'an object' };

/** The configuration with its defaults filled in. Throws a ConfigProblem that names every wrong key, its value and what is allowed. */
export function checkConfig(given: unknown): ClientConfig {
  const parsed = z.safeParse(ClientConfig, given);
  if (parsed.success) return parsed.data;
  const paths = new Map(parsed.error.issues.map(({ path }) => [path.join('.'), path]));
  throw new ConfigProblem([...paths.values()].map((path) => describe(path, given)).join('\n'));
}

function describe(path: readonly PropertyKey[], given: unknown): string {
  // One of a list is described by its list.
  const key = path.filter((part) => typeof part === 'string').join('.');
  const { allowed, sentence } = CONFIG_TEXTS[key] ?? GROUP;
  const value = path.reduce<unknown>(valueAt, given);
  const line = `\`${path.join('.') || 'config.json'}\` is ${shown(value)}; allowed: ${allowed}`;
  const fixed = sentence?.(value) ?? null;
  return fixed === null ? line : `${shortened(fixed)}\n${line}`;
}

function valueAt(whole: unknown, key: PropertyKey): unknown {
  return typeof whole === 'object' && whole !== null ? (whole as Record<PropertyKey, unknown>)[key] : undefined;
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : shortened(JSON.stringify(value));
}

function shortened(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
