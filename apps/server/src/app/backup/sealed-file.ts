import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { BackupError } from './backup-error.ts';
import type { KeyRing } from './backup-key.ts';

// STREAM over AES-256-GCM (Hoang, Reyhanitabar, Rogaway, Vizár 2015), as age and Tink have it: chunks of one size, each under a nonce of
// its number and whether it is the last. What was changed, moved, cut off or added opens nothing. The key is of this file alone.

const MAGIC = Buffer.from('wardline-backup1');
const KEY_ID_BYTES = 8;
const SALT_BYTES = 32;
const HEADER_BYTES = MAGIC.length + KEY_ID_BYTES + SALT_BYTES;
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;

export interface SealedWriter {
  write(bytes: Uint8Array): Promise<void>;
  /** Writes the last chunk, without which nobody takes the file for whole. Resolves to the file's length. */
  end(): Promise<number>;
}

/** Which key a backup was made with, without telling the key. */
function keyIdOf(key: string): Buffer {
  return createHmac('sha256', key).update('wardline backup key').digest().subarray(0, KEY_ID_BYTES);
}

/** The header is part of it: one that was changed makes another key. */
function fileKey(key: string, header: Buffer): Buffer {
  const salt = header.subarray(-SALT_BYTES);
  return Buffer.from(hkdfSync('sha256', key, salt, header.subarray(0, -SALT_BYTES), 32));
}

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

/** Encrypts what is written into a new, empty file; one chunk of it is in memory. */
export async function createSealedWriter(file: FileHandle, key: string): Promise<SealedWriter> {
  const header = Buffer.concat([MAGIC, keyIdOf(key), randomBytes(SALT_BYTES)]);
  const cipherKey = fileKey(key, header);
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let [filled, index, length] = [0, 0, header.length];
  await file.writeFile(header);

  async function seal(isLast: boolean): Promise<void> {
    const cipher = createCipheriv('aes-256-gcm', cipherKey, nonceOf(index, isLast));
    const sealed = Buffer.concat([cipher.update(chunk.subarray(0, filled)), cipher.final(), cipher.getAuthTag()]);
    await file.writeFile(sealed);
    length += sealed.length;
    index += 1;
    filled = 0;
  }

  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length; ) {
        if (filled === CHUNK_BYTES) await seal(false);
        const piece = bytes.subarray(at, at + CHUNK_BYTES - filled);
        chunk.set(piece, filled);
        filled += piece.length;
        at += piece.length;
      }
    },
    async end() {
      await seal(true);
      return length;
    },
  };
}

/**
 * What was written, chunk by chunk, each once it is known to be whole and in its place. Opened by whichever of the keys it was made with.
 * Throws a BackupError that names what is wrong.
 */
export async function* readSealed(file: FileHandle, keys: KeyRing): AsyncGenerator<Buffer> {
  const { size } = await file.stat();
  const header = await readAt(file, 0, HEADER_BYTES);
  const cipherKey = fileKey(findKey(header, keys), header);
  for (let [at, index] = [HEADER_BYTES, 0]; ; index += 1) {
    const sealed = await readAt(file, at, CHUNK_BYTES + TAG_BYTES);
    const isLast = at + sealed.length >= size;
    const plain = open(cipherKey, sealed, nonceOf(index, isLast));
    if (plain === null) {
      const isOtherwise = open(cipherKey, sealed, nonceOf(index, !isLast)) !== null;
      throw new BackupError(
        describeFault({ at, isLast, isOtherwise, isShort: sealed.length < CHUNK_BYTES + TAG_BYTES }),
      );
    }
    yield plain;
    if (isLast) return;
    at += sealed.length;
  }
}

interface Fault {
  readonly at: number;
  readonly isLast: boolean;
  /** It opens where it does not stand: as the last one, or as one that others follow. */
  readonly isOtherwise: boolean;
  readonly isShort: boolean;
}

function describeFault({ at, isLast, isOtherwise, isShort }: Fault): string {
  if (isOtherwise && isLast) return `The backup is cut off at byte ${at}: its end is missing.`;
  if (isOtherwise) return 'Something was added behind the end of the backup.';
  if (isShort) return `The backup is cut off or was changed, from byte ${at} on.`;
  return `The backup was changed, between byte ${at} and ${at + CHUNK_BYTES + TAG_BYTES}.`;
}

function findKey(header: Buffer, keys: KeyRing): string {
  const magic = header.subarray(0, MAGIC.length);
  if (header.length >= MAGIC.length && !magic.equals(MAGIC) && magic.subarray(0, -1).equals(MAGIC.subarray(0, -1))) {
    throw new BackupError(
      'The backup was made by a newer build, in another format. Restore it with that build or a later one.',
    );
  }
  if (!magic.equals(MAGIC)) throw new BackupError('This is no backup of Wardline.');
  if (header.length < HEADER_BYTES) throw new BackupError('The backup is cut off: it has only a beginning.');
  const keyId = header.subarray(MAGIC.length, MAGIC.length + KEY_ID_BYTES);
  const key = keys.find((one) => keyId.equals(keyIdOf(one)));
  if (key !== undefined) return key;
  const given = keys.map((one) => keyIdOf(one).toString('hex'));
  throw new BackupError(
    `This backup was made with another key (${keyId.toString('hex')}; given: ${given.join(', ')}).`,
  );
}

async function readAt(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await file.read(buffer, filled, bytes - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function open(key: Buffer, sealed: Buffer, nonce: Buffer): Buffer | null {
  if (sealed.length < TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
