import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { keepStated } from '#/platform/db/stated-actor.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { type Export, recordHtml, recordJson } from './record-content.ts';
import type { RecordPdfPrinter } from './record-pdf.ts';
import { findStored, type RecordFile } from './record-queries.ts';
import type { RecordSigner } from './record-signature.ts';

/** What the manifest says of each file of the archive. */
interface Listed {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Written {
  readonly manifestSha256: string;
  readonly files: number;
  readonly bytes: number;
}

export interface ArchiveDeps {
  readonly files: FileStore;
  readonly signer: RecordSigner;
  readonly printer: RecordPdfPrinter;
  /** Awaited before the last bytes leave: without them it is no archive. */
  readonly onWhole: (written: Written) => Promise<void>;
}

type Source = AsyncIterable<Buffer | string> | Iterable<Buffer | string>;

/**
 * A ZIP that is written as it is read and needs no room: the record for machines and for people, on a page and on paper, the files, then what all of them are
 * and the signature of that.
 */
export async function* recordArchive(
  of: Export,
  { files, signer, printer, onWhole }: ArchiveDeps,
): AsyncGenerator<Buffer> {
  const archive = new ZipFile();
  const output = Readable.from(archive.outputStream);
  const entry = { mtime: new Date(of.at) };
  let current: Readable | null = null;

  /** Resolves with what was written once the last byte of it was taken. */
  const add = (name: string, source: Source): Promise<Listed> => {
    const hash = createHash('sha256');
    let bytes = 0;
    async function* hashed(): AsyncGenerator<Buffer> {
      for await (const part of source) {
        const chunk = typeof part === 'string' ? Buffer.from(part) : part;
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    }
    const stream = Readable.from(hashed(), { objectMode: false });
    current = stream;
    const isRead = new Promise<Listed>((resolve, reject) => {
      stream.on('error', reject);
      stream.on('end', () => resolve({ name, bytes, sha256: hash.digest('hex') }));
      stream.on('close', () => reject(new Error('nobody waits for the archive any more')));
    });
    archive.addReadStream(stream, name, entry);
    return isRead;
  };

  async function fill(): Promise<void> {
    const attached: RecordFile[] = [];
    const missing: string[] = [];
    const changed: string[] = [];
    const listed = [
      await add('record.json', keepStated(recordJson(of, (file) => attached.push(file)))),
      await add('record.html', keepStated(recordHtml(of))),
      await add('record.pdf', keepStated(printer.print(of))),
    ];
    for (const { id, path, sha256 } of attached) {
      const stored = await findStored(of.db, id);
      const bytes = stored && (await files.read(stored));
      if (!bytes) {
        missing.push(path);
        continue;
      }
      const file = await add(path, bytes);
      listed.push(file);
      if (file.sha256 !== sha256) changed.push(path);
    }
    const manifest = Buffer.from(
      JSON.stringify(manifestOf(of, { listed, missing, changed, publicKey: signer.publicKey }), null, 1),
    );
    const { bytes, sha256 } = await add('manifest.json', [manifest]);
    await add('manifest.sig', [`${signer.sign(manifest).toString('base64')}\n`]);
    const sum = listed.reduce((total, file) => total + file.bytes, bytes);
    await onWhole({ manifestSha256: sha256, files: attached.length - missing.length, bytes: sum });
    archive.end();
  }

  const filling = fill().catch((error: unknown) => {
    output.destroy(error instanceof Error ? error : new Error('the archive could not be written'));
  });
  try {
    yield* output as AsyncIterable<Buffer>;
    await filling;
  } finally {
    // Whoever wanted the archive has gone: nothing more is read.
    (current as Readable | null)?.destroy();
  }
}

interface Content {
  readonly listed: readonly Listed[];
  readonly missing: readonly string[];
  readonly changed: readonly string[];
  readonly publicKey: string;
}

function manifestOf({ facility, by, at, reason, chats }: Export, { listed, missing, changed, publicKey }: Content) {
  return {
    ...{ format: 'wardline-record', version: 1, exported: { at, by, reason } },
    facility: { id: facility.id, name: facility.name },
    chats: chats.map(({ id, head_seq }) => ({ id, messages: head_seq })),
    files: listed,
    /** Known to the record, and not found in the store. */
    missing,
    /** In the archive as the store has them, which is not as they were stored. */
    changed,
    signature: { algorithm: 'Ed25519', public_key: publicKey, file: 'manifest.sig' },
  };
}
