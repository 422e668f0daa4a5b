import type pg from 'pg';
import { attachmentFile } from '#/features/chat/index.ts';
import { avatarFile } from '#/features/media/index.ts';

/** A file that the rows name. */
export interface NamedFile {
  readonly name: string;
  /** False for one that a job takes away: it may be gone. */
  readonly isNeeded: boolean;
  /** What was stored, where the rows say it; null otherwise. */
  readonly sha256: string | null;
}

const AT_ONCE = 500;

/**
 * Every file that the rows of this moment name, in the order of its key. Unfinished uploads begin anew after a restore, and
 * copies of one's own data are made anew: neither is among them.
 */
export async function* listNamedFiles(client: pg.Client): AsyncGenerator<NamedFile> {
  for await (const { key, kind, is_needed, sha256 } of pages<AttachmentRow>(client, ATTACHMENTS)) {
    const sizes = kind === 'image' ? (['file', 'large', 'small'] as const) : (['file'] as const);
    for (const size of sizes) {
      yield { name: attachmentFile(key, size), isNeeded: is_needed, sha256: size === 'file' ? sha256 : null };
    }
  }
  for await (const { key } of pages<{ key: string }>(client, AVATARS)) {
    yield { name: avatarFile(key), isNeeded: true, sha256: null };
  }
}

interface AttachmentRow {
  readonly key: string;
  readonly kind: string | null;
  readonly is_needed: boolean;
  readonly sha256: string | null;
}

/** What was forwarded shares its file. One that is removed may be on legal hold, and is there as long. */
const ATTACHMENTS = `
  select key, min(kind) as kind, bool_or(state = 'ready') as is_needed, min(encode(sha256, 'hex')) as sha256
  from attachments where state in ('ready', 'removing') and key > $1 group by key order by key limit $2`;

const AVATARS = 'select avatar_key as key from users where avatar_key > $1 order by avatar_key limit $2';

async function* pages<Row extends { readonly key: string }>(client: pg.Client, query: string): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const { rows } = await client.query<Row>(query, [after, AT_ONCE]);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) return;
    after = last.key;
  }
}
