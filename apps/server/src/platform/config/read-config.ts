import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ATTACHMENT_KINDS, type AttachmentKind } from '@wardline/contract/chat/attachments.ts';
import * as z from 'zod/mini';
import type { ClamdAddress } from './clamd-address.ts';
import { isDatabaseAddress } from './database-address.ts';
import {
  Address,
  AttachmentKinds,
  BucketName,
  BucketPrefix,
  ClamdUrl,
  HttpsAddresses,
  HttpsOrigin,
  HttpsPrefix,
  Location,
  MailUrl,
  Origin,
  Origins,
  type Place,
  PusherName,
  PushHosts,
  SecurityContact,
  SenderText,
  StorageEndpoint,
  VapidKey,
  wholeNumber,
} from './formats.ts';
import type { Sender } from './mail-address.ts';
import { type OidcProvider, OidcProviders } from './oidc-settings.ts';
import type { S3Settings } from './s3-settings.ts';

const Secret = z.string().check(z.minLength(32, 'needs 32 characters or more'));

/** A password with a sign of its own cuts an address off, or makes it none. */
const readable = z.refine<string>(
  isDatabaseAddress,
  'is not an address that can be read: of a password write @ as %40, # as %23, / as %2F, : as %3A, ? as %3F and % as %25',
);

function oneOf<const Name extends string>(names: readonly Name[]) {
  return z.enum(names, `is none of ${names.join(', ')}`);
}

/** Everything the server can be told from outside. docs/configuration.md explains each name; a test compares the two. */
const Environment = z.object({
  HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  PORT: z._default(wholeNumber(0, 65_535), 8080),
  WARDLINE_DATA: z._default(z.string().check(z.minLength(1)), './data'),
  WARDLINE_PUBLIC_URL: z.optional(Origin),
  WARDLINE_CLIENT_ORIGINS: z._default(Origins, []),
  WARDLINE_TRUSTED_PROXY_HOPS: z._default(wholeNumber(0, 10), 0),
  WARDLINE_WRITES_PER_SECOND: z._default(wholeNumber(1, 10_000), 5),
  WARDLINE_STRANGER_SOCKETS: z._default(wholeNumber(10, 1_000), 500),
  WARDLINE_ATTACHMENT_MB: z._default(wholeNumber(1, 200), 25),
  WARDLINE_ATTACHMENT_KINDS: z._default(AttachmentKinds, [...ATTACHMENT_KINDS]),
  WARDLINE_CLAMD: z.optional(ClamdUrl),
  WARDLINE_AUDIT_YEARS: z.optional(wholeNumber(1, 100)),
  WARDLINE_BACKUP_KEY: z.optional(Secret),
  WARDLINE_BACKUP_DAYS: z._default(wholeNumber(0, 365), 2),
  WARDLINE_PRODUCT_NAME: z._default(
    z.string().check(z.minLength(1), z.maxLength(40, 'is longer than 40 characters')),
    'Wardline',
  ),
  WARDLINE_SIGN_UP: z._default(oneOf(['open', 'invitation']), 'invitation'),
  WARDLINE_OIDC: z._default(OidcProviders, []),
  WARDLINE_MAIL_URL: z.optional(MailUrl),
  WARDLINE_MAIL_FROM: z.optional(SenderText),
  WARDLINE_OPERATOR_EMAIL: z.optional(Address),
  WARDLINE_CONTACT_EMAIL: z.optional(Address),
  WARDLINE_SECURITY_CONTACT: z.optional(SecurityContact),
  WARDLINE_LOCATION: z.optional(Location),
  WARDLINE_MEDIA_HOST: z.optional(HttpsOrigin),
  WARDLINE_ICON_SERVICE: z.optional(HttpsPrefix),
  WARDLINE_PUSH_HOSTS: z._default(PushHosts, []),
  WARDLINE_VAPID_PRIVATE_KEY: z.optional(VapidKey),
  WARDLINE_MLLP_PORT: z.optional(wholeNumber(0, 65_535)),
  WARDLINE_MLLP_HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  WARDLINE_MLLP_FACILITY: z.optional(z.string().check(z.regex(/^[A-Z0-9]{2,4}$/, 'is not the code of a facility'))),
  WARDLINE_METRICS_PORT: z.optional(wholeNumber(0, 65_535)),
  WARDLINE_METRICS_HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  WARDLINE_BUILD_CHECK_INTERVAL: z._default(wholeNumber(0, 86_400), 3600),
  WARDLINE_DEMO_PASSWORD: z.optional(
    z.string().check(z.minLength(15, 'needs 15 characters or more'), z.maxLength(128, 'is longer than 128 characters')),
  ),
  WARDLINE_APP_KEY: z.optional(Secret),
  WARDLINE_REALTIME_SECRET: z.optional(Secret),
  WARDLINE_PUSHER_APP_ID: z.optional(PusherName),
  WARDLINE_PUSHER_APP_KEY: z.optional(PusherName),
  WARDLINE_PUSHER_APP_SECRET: z.optional(Secret),
  WARDLINE_PUSHER_WEBHOOKS: z._default(HttpsAddresses, []),
  S3_BUCKET: z.optional(BucketName),
  S3_REGION: z._default(
    z.string().check(z.regex(/^[a-z0-9-]{1,40}$/, 'is not a region such as eu-central-1')),
    'us-east-1',
  ),
  S3_ENDPOINT: z.optional(StorageEndpoint),
  S3_PATH_STYLE: z.optional(oneOf(['true', 'false'])),
  S3_PREFIX: z._default(BucketPrefix, ''),
  S3_ACCESS_KEY_ID: z.optional(z.string().check(z.regex(/^[!-~]{3,128}$/, 'is not an access key id'))),
  S3_SECRET_ACCESS_KEY: z.optional(z.string().check(z.minLength(8))),
  DATABASE_URL: z.optional(
    z.string().check(z.regex(/^postgres(ql)?:\/\//, 'does not start with postgres://'), readable),
  ),
  REDIS_URL: z.optional(
    z.string().check(z.regex(/^rediss?:\/\//, 'does not start with redis:// or rediss://'), readable),
  ),
  LOG_LEVEL: z._default(oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']), 'info'),
});

export const SETTING_NAMES = Object.keys(Environment.shape) as (keyof z.output<typeof Environment>)[];

/** Settings that may come as `NAME_FILE`, the path of a file that holds the value. */
export const SECRET_NAMES = [
  'WARDLINE_BACKUP_KEY',
  'WARDLINE_OIDC',
  'WARDLINE_MAIL_URL',
  'WARDLINE_VAPID_PRIVATE_KEY',
  'WARDLINE_DEMO_PASSWORD',
  'WARDLINE_APP_KEY',
  'WARDLINE_REALTIME_SECRET',
  'WARDLINE_PUSHER_APP_SECRET',
  'S3_SECRET_ACCESS_KEY',
  'DATABASE_URL',
  'REDIS_URL',
] as const;

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** The origin people use, when it is known; https turns on secure cookies and HSTS. */
  readonly publicUrl: string | null;
  /** Origins besides our own that a client may be served from. */
  readonly clientOrigins: readonly string[];
  readonly trustedProxyHops: number;
  /** How many messages, and how many other writes, one person may make a second for long. */
  readonly writesPerSecond: number;
  /** How many sockets of one address may wait for somebody to sign in on them. */
  readonly strangerSockets: number;
  /** What people may send with a message. */
  readonly attachments: { readonly maxBytes: number; readonly kinds: readonly AttachmentKind[] };
  /** What looks for malware in files; null where nothing does. */
  readonly clamd: ClamdAddress | null;
  /** After how many years audit entries lose who, what and where from; null keeps them. */
  readonly auditYears: number | null;
  /** Encrypts backups; null where it lies in its file beside the data folder. */
  readonly backupKey: string | null;
  /** After how many days without a backup the system administration is warned; 0 never. */
  readonly backupDays: number;
  readonly productName: string;
  /** Whether anybody may ask for an account, or only who was invited. */
  readonly signUp: 'open' | 'invitation';
  /** Where people may sign in besides here; see oidc-settings.ts. */
  readonly oidc: readonly OidcProvider[];
  /** The mail server; without one mails are kept in the data folder. */
  readonly mailUrl: string | null;
  readonly mailFrom: Sender | null;
  /** Where messages to the operator go. */
  readonly operatorEmail: string | null;
  /** How the operator is reached, as the page of contacts shows it. */
  readonly contactEmail: string | null;
  /** Where a weakness is told: `mailto:`, `https:` or `tel:`. */
  readonly securityContact: string | null;
  readonly location: Place | null;
  /** The one origin whose images the image proxy fetches. */
  readonly mediaHost: string | null;
  /** Where icons that are not in the collection on board are fetched from. */
  readonly iconService: string | null;
  /** Push services besides those of the browsers; null where nobody is told by push. */
  readonly pushHosts: readonly string[] | null;
  readonly vapidPrivateKey: string | null;
  /** Where a patient system hands in HL7 v2 messages, and the code of the facility that they are about. */
  readonly mllp: { readonly host: string; readonly port: number; readonly facilityCode: string } | null;
  /** Where the metrics are asked for; null where nothing measures. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  readonly buildCheckIntervalS: number;
  readonly demoPassword: string | null;
  readonly appKey: string | null;
  readonly realtimeSecret: string | null;
  /** The application that may use this server as its Pusher, and where its webhooks go; null where none may. */
  readonly pusherApp: {
    readonly id: string;
    readonly key: string;
    readonly secret: string;
    readonly webhooks: readonly string[];
  } | null;
  /** The bucket that keeps the files; without one they are in the data folder. */
  readonly s3: S3Settings | null;
  readonly databaseUrl: string | null;
  /** The Redis by which the server processes hear each other; null where there is one. */
  readonly redisUrl: string | null;
  readonly logLevel: string;
}

/** A setting is wrong; the message names the key, what is wrong, and is meant for the operator's terminal. */
export class ConfigError extends Error {}

/** What several servers of one installation must not each make for themselves. */
const SHARED_BY_SERVERS = ['DATABASE_URL', 'WARDLINE_APP_KEY', 'WARDLINE_REALTIME_SECRET'] as const;

const PUSHER_APP = ['WARDLINE_PUSHER_APP_ID', 'WARDLINE_PUSHER_APP_KEY', 'WARDLINE_PUSHER_APP_SECRET'] as const;

/** Reads the settings from an environment. Throws a ConfigError that names every wrong key at once. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given: Record<string, string> = {};
  for (const name of SETTING_NAMES) {
    const value = environment[name] ?? readSecretFile(environment, name);
    if (value !== undefined && value !== '') given[name] = value;
  }
  const read = Environment.safeParse(given);
  const wrong = (read.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  wrong.push(...missingBeside(given));
  if (!read.success || wrong.length > 0) {
    throw new ConfigError(`These settings are wrong:\n  ${wrong.join('\n  ')}\nSee docs/configuration.md.`);
  }
  return configOf(read.data);
}

/** What is needed beside something that is given. */
function missingBeside(given: Readonly<Record<string, string>>): string[] {
  const wrong: string[] = [];
  if (given['WARDLINE_MAIL_URL'] !== undefined && given['WARDLINE_MAIL_FROM'] === undefined) {
    wrong.push('WARDLINE_MAIL_FROM: is needed beside WARDLINE_MAIL_URL');
  }
  if (given['WARDLINE_MLLP_PORT'] !== undefined && given['WARDLINE_MLLP_FACILITY'] === undefined) {
    wrong.push('WARDLINE_MLLP_FACILITY: is needed beside WARDLINE_MLLP_PORT');
  }
  for (const name of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const) {
    if (given['S3_BUCKET'] !== undefined && given[name] === undefined)
      wrong.push(`${name}: is needed beside S3_BUCKET`);
  }
  const pusherApp = PUSHER_APP.filter((name) => given[name] === undefined);
  if (pusherApp.length < PUSHER_APP.length || given['WARDLINE_PUSHER_WEBHOOKS'] !== undefined) {
    for (const name of pusherApp) wrong.push(`${name}: is needed beside the other WARDLINE_PUSHER_ settings`);
  }
  for (const name of SHARED_BY_SERVERS) {
    if (given['REDIS_URL'] !== undefined && given[name] === undefined)
      wrong.push(`${name}: is needed beside REDIS_URL, the same for every server`);
  }
  return wrong;
}

function configOf(settings: z.output<typeof Environment>): Config {
  return {
    host: settings.HOST,
    port: settings.PORT,
    dataDir: path.resolve(settings.WARDLINE_DATA),
    publicUrl: settings.WARDLINE_PUBLIC_URL ?? null,
    clientOrigins: settings.WARDLINE_CLIENT_ORIGINS,
    trustedProxyHops: settings.WARDLINE_TRUSTED_PROXY_HOPS,
    writesPerSecond: settings.WARDLINE_WRITES_PER_SECOND,
    strangerSockets: settings.WARDLINE_STRANGER_SOCKETS,
    attachments: {
      maxBytes: settings.WARDLINE_ATTACHMENT_MB * 1024 * 1024,
      kinds: settings.WARDLINE_ATTACHMENT_KINDS,
    },
    clamd: settings.WARDLINE_CLAMD ?? null,
    auditYears: settings.WARDLINE_AUDIT_YEARS ?? null,
    backupKey: settings.WARDLINE_BACKUP_KEY ?? null,
    backupDays: settings.WARDLINE_BACKUP_DAYS,
    productName: settings.WARDLINE_PRODUCT_NAME,
    signUp: settings.WARDLINE_SIGN_UP,
    oidc: settings.WARDLINE_OIDC,
    mailUrl: settings.WARDLINE_MAIL_URL ?? null,
    mailFrom: settings.WARDLINE_MAIL_FROM ?? null,
    operatorEmail: settings.WARDLINE_OPERATOR_EMAIL ?? null,
    contactEmail: settings.WARDLINE_CONTACT_EMAIL ?? null,
    securityContact: settings.WARDLINE_SECURITY_CONTACT ?? null,
    location: settings.WARDLINE_LOCATION ?? null,
    mediaHost: settings.WARDLINE_MEDIA_HOST ?? null,
    iconService: settings.WARDLINE_ICON_SERVICE ?? null,
    pushHosts: settings.WARDLINE_PUSH_HOSTS,
    vapidPrivateKey: settings.WARDLINE_VAPID_PRIVATE_KEY ?? null,
    mllp: mllpOf(settings),
    metrics: metricsOf(settings),
    buildCheckIntervalS: settings.WARDLINE_BUILD_CHECK_INTERVAL,
    demoPassword: settings.WARDLINE_DEMO_PASSWORD ?? null,
    appKey: settings.WARDLINE_APP_KEY ?? null,
    realtimeSecret: settings.WARDLINE_REALTIME_SECRET ?? null,
    pusherApp: pusherAppOf(settings),
    s3: s3Of(settings),
    databaseUrl: settings.DATABASE_URL ?? null,
    redisUrl: settings.REDIS_URL ?? null,
    logLevel: settings.LOG_LEVEL,
  };
}

function metricsOf(settings: z.output<typeof Environment>): Config['metrics'] {
  const { WARDLINE_METRICS_PORT: port, WARDLINE_METRICS_HOST: host } = settings;
  return port === undefined ? null : { host, port };
}

function mllpOf(settings: z.output<typeof Environment>): Config['mllp'] {
  const { WARDLINE_MLLP_PORT: port, WARDLINE_MLLP_HOST: host, WARDLINE_MLLP_FACILITY: facilityCode } = settings;
  return port === undefined || facilityCode === undefined ? null : { host, port, facilityCode };
}

function pusherAppOf(settings: z.output<typeof Environment>): Config['pusherApp'] {
  const { WARDLINE_PUSHER_APP_ID: id, WARDLINE_PUSHER_APP_KEY: key, WARDLINE_PUSHER_APP_SECRET: secret } = settings;
  if (id === undefined || key === undefined || secret === undefined) return null;
  return { id, key, secret, webhooks: settings.WARDLINE_PUSHER_WEBHOOKS };
}

function s3Of(settings: z.output<typeof Environment>): S3Settings | null {
  const { S3_BUCKET: bucket, S3_REGION: region, S3_ENDPOINT: endpoint, S3_PREFIX: prefix } = settings;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey, S3_PATH_STYLE: style } = settings;
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return null;
  return {
    ...{ bucket, region, prefix, accessKeyId, secretAccessKey },
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    // Services of one's own seldom have a name for each bucket.
    pathStyle: style === undefined ? endpoint !== undefined : style === 'true',
  };
}

function readSecretFile(environment: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const file = environment[`${name}_FILE`];
  if (file === undefined || !SECRET_NAMES.some((secret) => secret === name)) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new ConfigError(
      `${name}_FILE names a file that cannot be read: ${file} (${String((error as NodeJS.ErrnoException).code)}).`,
    );
  }
}

/** True when only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
