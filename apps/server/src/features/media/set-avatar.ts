import type { User } from '@wardline/contract/account/auth.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Counter } from '#/platform/http/rate-limit.ts';
import { ImageError, type ImageFault } from '#/platform/images/check-image.ts';
import type { ImageOrder } from '#/platform/images/image-order.ts';
import type { ImageWorkers } from '#/platform/images/image-workers.ts';
import { avatarFile, newAvatarKey } from './avatars.ts';

export interface AvatarDeps {
  readonly files: FileStore;
  readonly images: ImageWorkers;
  /** Counts uploads per person. */
  readonly uploads: Counter;
  /** Somebody as the contract states them. */
  readonly describeUser: (actor: Actor) => User;
  /** What is remembered of this person is out of date. */
  readonly identityChanged: (userId: string) => void;
}

const STORED: ImageOrder = {
  width: 512,
  height: 512,
  fit: 'cover',
  format: 'webp',
  quality: 82,
  background: null,
  enlarge: true,
};

const LABELS: Readonly<Record<ImageFault, string>> = {
  not_an_image: 'Choose a JPEG, PNG or WebP picture.',
  animated: 'Choose a picture that is not animated.',
  too_large: 'This picture has too many pixels.',
  unreadable: 'This picture cannot be read.',
};

/** Stores a new picture, made anew from its pixels alone; the one before is removed. */
export function setAvatar(deps: AvatarDeps) {
  return async (ctx: RequestContext, file: Buffer): Promise<User> => {
    const { userId } = ctx.actor;
    await deps.uploads.take(userId);
    const bytes = await deps.images.make(file, STORED).catch(sayAtField);
    const key = newAvatarKey();
    await deps.files.put(avatarFile(key), bytes);
    return changeAvatar(deps, ctx, key);
  };
}

/** Sets the key, and afterwards removes the picture of the one before. */
export function changeAvatar(
  { files, describeUser, identityChanged }: AvatarDeps,
  ctx: RequestContext,
  key: string | null,
): Promise<User> {
  const { userId } = ctx.actor;
  return ctx.write(key === null ? 'avatar.remove' : 'avatar.set', async (tx) => {
    const before = await replaceAvatar(tx, { userId, key });
    return {
      result: describeUser({ ...ctx.actor, avatarKey: key }),
      audit: before === key ? null : { objectType: 'user', objectId: userId },
      afterCommit: async () => {
        identityChanged(userId);
        if (before === null || before === key) return;
        // Nobody can ask for it any more, and a later look finds what stays behind.
        await files
          .remove(avatarFile(before))
          .catch((error: unknown) => ctx.log.warn({ err: error }, 'an old picture could not be removed'));
      },
    };
  });
}

function sayAtField(error: unknown): never {
  throw error instanceof ImageError ? invalidField('avatar', LABELS[error.fault]) : error;
}

/** Gives a person another picture, or none, and returns the key of the one before; nothing to who has deleted their account meanwhile. */
async function replaceAvatar(
  tx: DatabaseTransaction,
  { userId, key }: { readonly userId: string; readonly key: string | null },
): Promise<string | null> {
  const before = await tx
    .selectFrom('users')
    .select('avatar_key')
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!before) throw new AppError('unauthenticated');
  await tx.updateTable('users').set({ avatar_key: key }).where('id', '=', userId).execute();
  return before.avatar_key;
}
