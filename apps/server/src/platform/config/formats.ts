import { ATTACHMENT_KINDS } from '@wardline/contract/chat/attachments.ts';
import * as z from 'zod/mini';
import type { ClamdAddress } from './clamd-address.ts';
import { isBareAddress, readSender } from './mail-address.ts';
import { isHostPattern, isPrivateKey } from './push-format.ts';

// How a setting is written. Each says what is allowed, and never what was given: it may be a secret.

export const Address = z.string().check(z.refine(isBareAddress, 'is not an email address'));

/** `name@hospital.example` or `Name <name@hospital.example>`. */
export const SenderText = z.pipe(
  z.string().check(z.refine((text) => readSender(text) !== null, 'is not an address such as Ward <ward@example.org>')),
  z.transform(readSender),
);

/** An origin such as `https://chat.hospital.example`: scheme, host and port as a browser writes them, nothing else. */
export const Origin = z.string().check(z.refine(isOrigin, 'is not an origin such as https://chat.hospital.example'));

/** Where pictures are fetched from: https on its own port, which is the only one the server connects to. */
export const HttpsOrigin = z
  .string()
  .check(
    z.refine(
      (text) => isOrigin(text) && text.startsWith('https:') && new URL(text).port === '',
      'is not an origin such as https://media.hospital.example',
    ),
  );

/** Origins with commas between them. */
export const Origins = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.split(',').map((origin) => origin.trim())),
  ),
  z.array(Origin),
);

const ATTACHMENT_KIND_NAMES = ATTACHMENT_KINDS.join(', ');

/** Kinds of files with commas between them. */
export const AttachmentKinds = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.split(',').map((kind) => kind.trim())),
  ),
  z.array(z.enum(ATTACHMENT_KINDS, `is not a list of ${ATTACHMENT_KIND_NAMES}`)),
);

/** Names of hosts with commas between them, `*.example.org` for all below one; `none` for no push at all. */
export const PushHosts = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => (text === 'none' ? null : text.split(',').map((host) => host.trim()))),
  ),
  z.nullable(z.array(z.string().check(z.refine(isHostPattern, 'is not none, or hosts such as push.hospital.example')))),
);

/** The private key of a VAPID pair, as `web-push generate-vapid-keys` prints it. */
export const VapidKey = z
  .string()
  .check(
    z.refine(
      (text) => /^[A-Za-z0-9_-]{43}$/.test(text) && isPrivateKey(Buffer.from(text, 'base64url')),
      'is not a VAPID private key: 32 bytes in base64url',
    ),
  );

/** Where an S3-compatible service is: https, or on this machine http; without a slash at its end. */
export const StorageEndpoint = z
  .string()
  .check(
    z.refine(isStorageEndpoint, 'is not an address such as https://s3.hospital.example (http only on this machine)'),
  );

/** Where finders of a weakness turn to (RFC 9116, Contact): one line, since it becomes a line of a file. */
export const SecurityContact = z
  .string()
  .check(
    z.regex(
      /^(mailto:[!-~]+@[!-~]+|https:\/\/[!-~]+|tel:\+?[0-9-]{3,30})$/,
      'is not an address such as mailto:security@hospital.example or https://hospital.example/security',
    ),
  );

/** Where a clamd listens: `tcp://127.0.0.1:3310` or `unix:/run/clamav/clamd.ctl`. */
export const ClamdUrl = z.pipe(
  z
    .string()
    .check(z.refine((text) => readClamd(text) !== null, 'is not tcp://127.0.0.1:3310 or unix:/run/clamav/clamd.ctl')),
  z.transform(readClamd),
);

/** The name of a bucket, by the rules of S3. */
export const BucketName = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is not the name of a bucket'));

/** What stands before all names in a bucket: folders of letters, digits, `-` and `_`, with a slash at the end. */
export const BucketPrefix = z.string().check(z.regex(/^([A-Za-z0-9_-]+\/)*$/, 'is not a prefix such as wardline/'));

/** An https address that paths are put behind; without a slash at its end. */
export const HttpsPrefix = z.string().check(z.refine(isHttpsPrefix, 'is not an address such as https://icons.example'));

/** An application's id or key in the Pusher protocol: both are public, and stand in addresses. */
export const PusherName = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'is not a name of letters, digits, _ and -'));

/** Addresses that are told by https on its own port, which is the only one the server connects to; commas between them. */
export const HttpsAddresses = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.split(',').map((address) => address.trim())),
  ),
  z.array(
    z
      .string()
      .check(z.refine(isHttpsAddress, 'is not a list of addresses such as https://app.hospital.example/pusher')),
  ),
);

/** The address of a mail server, `smtp://` or `smtps://`, with or without `user:password@` and port. */
export const MailUrl = z
  .string()
  .check(z.refine(isMailUrl, 'is not an address such as smtps://user:password@mail.hospital.example'));

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Degrees north and east with a comma between them. */
export const Location = z.pipe(
  z.string().check(z.regex(/^-?\d{1,3}(\.\d{1,12})?\s*,\s*-?\d{1,3}(\.\d{1,12})?$/, 'is not two numbers, 51.5,-0.12')),
  z.pipe(
    z.transform((text: string): Place => {
      const [latitude, longitude] = text.split(',').map(Number);
      return { latitude: latitude ?? Number.NaN, longitude: longitude ?? Number.NaN };
    }),
    z.object({
      latitude: z.number().check(z.gte(-90, 'is south of -90'), z.lte(90, 'is north of 90')),
      longitude: z.number().check(z.gte(-180, 'is west of -180'), z.lte(180, 'is east of 180')),
    }),
  ),
);

export function wholeNumber(least: number, most: number) {
  return z.pipe(
    z.string().check(z.regex(/^\d{1,6}$/, 'is not a whole number')),
    z.pipe(
      z.transform(Number),
      z.number().check(z.refine((number) => least <= number && number <= most, `is not from ${least} to ${most}`)),
    ),
  );
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && parseUrl(text)?.origin === text;
}

function isHttpsPrefix(text: string): boolean {
  const url = parseUrl(text);
  if (url === null || !text.startsWith('https://') || url.username !== '' || /[?#]/.test(text)) return false;
  return !text.endsWith('/') && `${url.origin}${url.pathname}`.replace(/\/$/, '') === text;
}

function isHttpsAddress(text: string): boolean {
  const url = parseUrl(text);
  return url !== null && text.startsWith('https://') && url.port === '' && url.username === '' && url.hash === '';
}

function readClamd(text: string): ClamdAddress | null {
  const [, path] = /^unix:(\/[^\0]{1,100})$/.exec(text) ?? [];
  if (path !== undefined) return { path };
  const url = text.startsWith('tcp://') ? parseUrl(text.replace('tcp://', 'http://')) : null;
  if (url === null || url.port === '' || url.host !== text.slice('tcp://'.length)) return null;
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port) };
}

function isStorageEndpoint(text: string): boolean {
  const url = parseUrl(text);
  if (url === null || url.username !== '' || /[?#]/.test(text) || text.endsWith('/')) return false;
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere);
}

function isMailUrl(text: string): boolean {
  const url = parseUrl(text);
  if (url === null || !/^smtps?:\/\//.test(text) || url.hostname === '') return false;
  try {
    decodeURIComponent(url.username + url.password);
  } catch {
    return false;
  }
  return (url.pathname === '' || url.pathname === '/') && url.search === '' && url.hash === '';
}
