import type * as contract from '@wardline/contract/chat/notifications.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { sql } from 'kysely';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { newId } from '#/platform/new-id.ts';
import { areUsableKeys } from '#/platform/push/encrypt-payload.ts';
import type { PushSender } from '#/platform/push/push-sender.ts';
import { PUSH_JOB } from './notify-chat.ts';
import { findOwnSubscription } from './settings-queries.ts';

/** As many as a person can have sessions. */
const SUBSCRIPTIONS_PER_PERSON = 10;
const TEST_LIFETIME_MS = 60_000;

type Subscribe = typeof contract.subscribePush;

/** The device of this session or token is told from now on, in place of what it gave before. */
export function subscribePush({ sender }: { readonly sender: PushSender | null }) {
  return async ({ actor, write }: RequestContext, { body }: InputOf<Subscribe>): Promise<ReplyOf<Subscribe>> => {
    const { endpoint, keys } = body;
    const [p256dh, auth] = [Buffer.from(keys.p256dh, 'base64url'), Buffer.from(keys.auth, 'base64url')];
    if (!sender?.isAllowed(endpoint)) throw invalidField('endpoint', 'This server does not use that push service.');
    if (!areUsableKeys({ p256dh, auth })) throw invalidField('keys', 'These are no keys of a push subscription.');
    return write('notifications.push.subscribe', async (tx) => {
      const device = await lockDevice(tx, actor);
      const held = await tx
        .selectFrom('push_subscriptions')
        .select(['id', 'p256dh', 'auth'])
        .where('endpoint', '=', endpoint)
        .forUpdate()
        .executeTakeFirst();
      // Only the browser itself has the secret: an address that was overheard takes it from nobody.
      if (held && !(held.p256dh.equals(p256dh) && held.auth.equals(auth))) throw new AppError('conflict');
      await tx
        .deleteFrom('push_subscriptions')
        .where((where) =>
          where.or([
            where('endpoint', '=', endpoint),
            ...(device.session_id ? [where('session_id', '=', device.session_id)] : []),
            ...(device.token_id ? [where('token_id', '=', device.token_id)] : []),
          ]),
        )
        .execute();
      await tx
        .insertInto('push_subscriptions')
        .values({ id: newId(), user_id: actor.userId, ...device, endpoint, p256dh, auth })
        .execute();
      await endOldest(tx, actor.userId);
      return { result: undefined, audit: { objectType: 'user', objectId: actor.userId } };
    });
  };
}

/** The session or token, held so that it does not end meanwhile; and the person's devices, so that they are counted once. */
async function lockDevice(
  tx: Transaction,
  { userId, credential }: Actor,
): Promise<{ session_id: string | null; token_id: string | null }> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const key = Buffer.from(credential.key, 'hex');
  const found =
    credential.kind === 'session'
      ? await tx.selectFrom('sessions').select('id').where('id_hash', '=', key).forKeyShare().executeTakeFirst()
      : await tx
          .selectFrom('access_tokens')
          .select('id')
          .where('token_hash', '=', key)
          .forKeyShare()
          .executeTakeFirst();
  if (!found) throw new AppError('unauthenticated');
  return credential.kind === 'session'
    ? { session_id: found.id, token_id: null }
    : { session_id: null, token_id: found.id };
}

async function endOldest(tx: Transaction, userId: string): Promise<void> {
  await sql`
    delete from push_subscriptions where id in (
      select id from push_subscriptions where user_id = ${userId}
      order by created_at desc, id desc offset ${SUBSCRIPTIONS_PER_PERSON}
    )`.execute(tx);
}

export async function unsubscribePush({ actor, write }: RequestContext): Promise<undefined> {
  return write('notifications.push.unsubscribe', async (tx) => {
    const id = await findOwnSubscription(tx, actor);
    if (id !== undefined) await tx.deleteFrom('push_subscriptions').where('id', '=', id).execute();
    return {
      result: undefined,
      audit: id === undefined ? null : { objectType: 'user', objectId: actor.userId },
    };
  });
}

/** To the device that asks, by the same way as any other notification. */
export async function testPush({ actor, write }: RequestContext): Promise<ReplyOf<typeof contract.testPush>> {
  return write<ReplyOf<typeof contract.testPush>>('notifications.push.test', async (tx) => {
    const id = await findOwnSubscription(tx, actor);
    if (id === undefined) return { result: { is_sent: false }, audit: null };
    const payload = { subscription_id: id, message: null, until_ms: Date.now() + TEST_LIFETIME_MS };
    await enqueueJob(tx, { kind: PUSH_JOB, payload, isPressing: true });
    const audit = { objectType: 'user', objectId: actor.userId };
    return { result: { is_sent: true }, audit };
  });
}
