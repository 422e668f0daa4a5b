import type { updateNotificationSettings as endpoint } from '@wardline/contract/chat/notifications.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { planDigest } from './digest-queries.ts';
import { loadSettings } from './settings-queries.ts';

/** One's own choice: told to nobody. */
export async function updateNotificationSettings(
  { actor, write }: RequestContext,
  { body }: InputOf<typeof endpoint>,
): Promise<ReplyOf<typeof endpoint>> {
  const { sounds, mail_digest, quiet_hours, quiet_off_call } = body;
  return write('notifications.settings.update', async (tx) => {
    const chosen = {
      routine_sound: sounds.routine,
      urgent_sound: sounds.urgent,
      quiet_from: quiet_hours?.from ?? null,
      quiet_until: quiet_hours?.until ?? null,
      quiet_off_call,
    };
    await tx
      .insertInto('notification_settings')
      .values({ user_id: actor.userId, ...chosen })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...chosen, updated_at: new Date() }))
      .execute();
    await planDigest(tx, { userId: actor.userId, digest: mail_digest });
    return {
      result: await loadSettings(tx, actor),
      audit: { objectType: 'user', objectId: actor.userId, detail: { ...chosen, mail_digest } },
    };
  });
}
