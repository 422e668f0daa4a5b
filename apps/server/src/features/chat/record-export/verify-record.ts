import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { unpackArchive } from '#/platform/files/unpack-archive.ts';
import { isSigned } from './record-signature.ts';

const Manifest = z.object({
  format: z.literal('wardline-record'),
  exported: z.object({ at: z.string(), by: z.object({ name: z.string() }) }),
  facility: z.object({ name: z.string() }),
  files: z.array(z.object({ name: z.string(), sha256: z.string() })),
  /** What older ones did not say. */
  changed: z.optional(z.array(z.string())),
  signature: z.object({ public_key: z.string() }),
});

/** What is wrong with an archive: a file that is not as it was, in the store already or since, or no more, or was put in; or the signature itself. */
export interface RecordFinding {
  readonly what: 'no archive' | 'damaged' | 'changed' | 'removed' | 'added' | 'signature' | 'key';
  readonly name: string;
}

export interface VerifiedRecord {
  /** Of whom it says it is; believed only where nothing was found. */
  readonly from: { readonly facility: string; readonly by: string; readonly at: string } | null;
  readonly files: number;
  /** That it was signed with, in hexadecimal. */
  readonly publicKey: string | null;
  readonly findings: readonly RecordFinding[];
}

const MANIFEST = 'manifest.json';
const SIGNATURE = 'manifest.sig';
/** More than an export may have. */
const MOST_BYTES = 3 * 1024 ** 3;

/**
 * Compares an archive with its manifest and that with its signature; nothing else is needed. Whoever knows the key of the installation
 * from elsewhere gives it: an archive that was made anew is signed too, by another.
 */
export function verifyRecord(archive: Buffer, knownKey: string | null = null): VerifiedRecord {
  const files = unpackArchive(archive, MOST_BYTES);
  const manifest = files?.get(MANIFEST);
  const parsed = manifest && Manifest.safeParse(parseJson(manifest));
  if (!files || !manifest || !parsed?.success) {
    return { from: null, files: 0, publicKey: null, findings: [{ what: 'no archive', name: MANIFEST }] };
  }
  const { exported, facility, files: listed, changed = [], signature } = parsed.data;
  const findings: RecordFinding[] = changed.map((name) => ({ what: 'damaged', name }));
  for (const { name, sha256 } of listed) {
    const file = files.get(name);
    if (file === undefined) findings.push({ what: 'removed', name });
    else if (createHash('sha256').update(file).digest('hex') !== sha256) findings.push({ what: 'changed', name });
  }
  const known = new Set([MANIFEST, SIGNATURE, ...listed.map(({ name }) => name)]);
  for (const name of files.keys()) if (!known.has(name)) findings.push({ what: 'added', name });
  const given = Buffer.from(files.get(SIGNATURE)?.toString('latin1') ?? '', 'base64');
  const key = knownKey ?? signature.public_key;
  if (!isSigned(manifest, given, key)) findings.push({ what: 'signature', name: SIGNATURE });
  if (knownKey !== null && knownKey !== signature.public_key) findings.push({ what: 'key', name: MANIFEST });
  return {
    from: { facility: facility.name, by: exported.by.name, at: exported.at },
    files: listed.length,
    publicKey: signature.public_key,
    findings,
  };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}
