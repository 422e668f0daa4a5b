import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { isBeingBackedUp } from '#/platform/db/backups.ts';
import type { Database } from '#/platform/db/database.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { type Actor, membershipIn } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { action, authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';

interface AvatarContext {
  readonly ownerId: string;
  /** Where its owner is a member now. */
  readonly facilityIds: readonly string[];
}

/** One's own, and those of the people of one's facilities. */
const seeAvatar = action<AvatarContext>(
  'avatar.see',
  (actor: Actor, { ownerId, facilityIds }) =>
    actor.userId === ownerId || facilityIds.some((id) => membershipIn(actor, id) !== undefined),
);

const KEY = /^[A-Za-z0-9_-]{22}$/;
const FOLDER = 'avatars';
/** A picture is written before its owner has it; until then nobody's is not yet nobody's. */
const YOUNG_MS = 24 * 60 * 60_000;
const BATCH = 500;

/** 16 random bytes: new with every picture, so what an address shows never changes, and unguessable. */
export function newAvatarKey(): string {
  return randomBytes(16).toString('base64url');
}

export function isAvatarKey(text: string): boolean {
  return KEY.test(text);
}

/** Where the picture of a key is stored. */
export function avatarFile(key: string): string {
  return `${FOLDER}/${key.slice(0, 2)}/${key}.webp`;
}

/** Asks with facts read now. A picture that is not there, one of the past and one of a stranger are answered alike. */
export async function mustSeeAvatar(db: RequestContext['db'], actor: Actor, key: string): Promise<void> {
  const found = isAvatarKey(key) ? await findAvatar(db, key) : undefined;
  if (!found) throw new AppError('not_found');
  authorizeToKnow(actor, seeAvatar, { ownerId: found.owner_id, facilityIds: found.facility_ids });
}

/** Removes pictures that nobody has: a process may have died between two steps. */
export async function removeStrayAvatars(
  { db, files }: { readonly db: RequestContext['db']; readonly files: FileStore },
  now = Date.now(),
): Promise<void> {
  let batch = new Map<string, string>();
  const removeUnused = async () => {
    const used = await findKeysInUse(db, [...batch.keys()]);
    // A backup knows of pictures that were somebody's when it began.
    const unused = (await isBeingBackedUp(db)) ? [] : [...batch].filter(([key]) => !used.has(key));
    for (const [, name] of unused) await files.remove(name);
    batch = new Map();
  };
  for await (const { name, modifiedAtMs } of files.list(FOLDER)) {
    const key = name.split('/').at(-1)?.split('.')[0] ?? '';
    if (now - modifiedAtMs > YOUNG_MS) batch.set(key, name);
    if (batch.size >= BATCH) await removeUnused();
  }
  await removeUnused();
}

/** Whose picture has this key, and where they are members now. */
async function findAvatar(
  db: Database,
  key: string,
): Promise<{ owner_id: string; facility_ids: string[] } | undefined> {
  return db
    .selectFrom('users as u')
    .select('u.id as owner_id')
    .select(
      sql<string[]>`array(
        select m.facility_id from memberships m where m.user_id = u.id and m.ended_at is null)`.as('facility_ids'),
    )
    .where('u.avatar_key', '=', key)
    .executeTakeFirst();
}

/** Which of these keys somebody's picture has. */
async function findKeysInUse(db: Database, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const used = await db.selectFrom('users').select('avatar_key').where('avatar_key', 'in', keys).execute();
  return new Set(used.flatMap((row) => row.avatar_key ?? []));
}
