import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';

/** Everything the server can be told from outside. docs/configuration.md explains each name; a test compares the two. */
const Environment = z.object({
  HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  PORT: z._default(wholeNumber(0, 65_535), 8080),
  WARDLINE_DATA: z._default(z.string().check(z.minLength(1)), './data'),
  WARDLINE_PUBLIC_URL: z.optional(
    z.string().check(z.refine(isOrigin, 'is not an origin such as https://chat.hospital.example')),
  ),
  WARDLINE_TRUSTED_PROXY_HOPS: z._default(wholeNumber(0, 10), 0),
  WARDLINE_PRODUCT_NAME: z._default(z.string().check(z.minLength(1), z.maxLength(40)), 'Wardline'),
  WARDLINE_DEMO_PASSWORD: z.optional(z.string().check(z.minLength(15), z.maxLength(128))),
  WARDLINE_APP_KEY: z.optional(z.string().check(z.minLength(32))),
  WARDLINE_REALTIME_SECRET: z.optional(z.string().check(z.minLength(32))),
  DATABASE_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//, 'does not start with postgres://'))),
  LOG_LEVEL: z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']), 'info'),
});

export const SETTING_NAMES = Object.keys(Environment.shape) as (keyof z.output<typeof Environment>)[];

/** Settings that may come as `NAME_FILE`, the path of a file that holds the value. */
export const SECRET_NAMES = [
  'WARDLINE_DEMO_PASSWORD',
  'WARDLINE_APP_KEY',
  'WARDLINE_REALTIME_SECRET',
  'DATABASE_URL',
] as const;

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** The origin people use, when it is known; https turns on secure cookies and HSTS. */
  readonly publicUrl: string | null;
  readonly trustedProxyHops: number;
  readonly productName: string;
  readonly demoPassword: string | null;
  readonly appKey: string | null;
  readonly realtimeSecret: string | null;
  readonly databaseUrl: string | null;
  readonly logLevel: string;
}

/** A setting is wrong; the message names the key, what is wrong, and is meant for the operator's terminal. */
export class ConfigError extends Error {}

/** Reads the settings from an environment. Throws a ConfigError that names every wrong key at once. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given: Record<string, string> = {};
  for (const name of SETTING_NAMES) {
    const value = environment[name] ?? readSecretFile(environment, name);
    if (value !== undefined && value !== '') given[name] = value;
  }
  const read = Environment.safeParse(given);
  if (!read.success) {
    const lines = read.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`These settings are wrong:\n${lines.join('\n')}\nSee docs/configuration.md.`);
  }
  const settings = read.data;
  return {
    host: settings.HOST,
    port: settings.PORT,
    dataDir: path.resolve(settings.WARDLINE_DATA),
    publicUrl: settings.WARDLINE_PUBLIC_URL ?? null,
    trustedProxyHops: settings.WARDLINE_TRUSTED_PROXY_HOPS,
    productName: settings.WARDLINE_PRODUCT_NAME,
    demoPassword: settings.WARDLINE_DEMO_PASSWORD ?? null,
    appKey: settings.WARDLINE_APP_KEY ?? null,
    realtimeSecret: settings.WARDLINE_REALTIME_SECRET ?? null,
    databaseUrl: settings.DATABASE_URL ?? null,
    logLevel: settings.LOG_LEVEL,
  };
}

function readSecretFile(environment: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const file = environment[`${name}_FILE`];
  if (file === undefined || !SECRET_NAMES.some((secret) => secret === name)) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new ConfigError(`${name}_FILE names a file that cannot be read.`);
  }
}

function wholeNumber(least: number, most: number) {
  return z.pipe(
    z.string().check(z.regex(/^\d{1,6}$/, 'is not a whole number')),
    z.pipe(z.transform(Number), z.number().check(z.gte(least), z.lte(most))),
  );
}

function isOrigin(text: string): boolean {
  try {
    return /^https?:\/\//.test(text) && new URL(text).origin === text;
  } catch {
    return false;
  }
}

/** True when only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
