import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Id, NoContent, Nothing, Seq } from '../values.ts';

const Sound = z.enum(['off', 'soft', 'loud']);
const MailDigest = z.enum(['off', 'hourly', 'daily']);
export type MailDigest = z.infer<typeof MailDigest>;

const TimeOfDay = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'This is not a time such as 22:00.'));

/** By which ways a person is told, in all their chats (CHAT-16). */
const Chosen = {
  sounds: z.strictObject({ routine: Sound, urgent: Sound }),
  mail_digest: MailDigest,
  /** No sound and no push but for urgent ones, by the clock of the chat's facility; null without fixed times. */
  quiet_hours: z.nullable(z.strictObject({ from: TimeOfDay, until: TimeOfDay })),
  /** The same whenever I hold no on-call role of that facility. */
  quiet_off_call: z.boolean(),
};

export const NotificationSettings = z.object({
  ...Chosen,
  /** Where it is quiet for me as this is answered. */
  quiet_facility_ids: z.array(Id),
  /** Whether the session that asks is told by push. */
  has_push: z.boolean(),
});
export type NotificationSettings = z.infer<typeof NotificationSettings>;

export const getNotificationSettings = endpoint({
  name: 'getNotificationSettings',
  summary: 'By which ways I am told of messages.',
  method: 'GET',
  path: '/api/user/notifications',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: NotificationSettings,
});

export const updateNotificationSettings = endpoint({
  name: 'updateNotificationSettings',
  summary: 'Says by which ways I am told of messages.',
  method: 'PUT',
  path: '/api/user/notifications',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: z.strictObject(Chosen),
  status: 200,
  reply: NotificationSettings,
});

/** Bytes in base64url without padding, as `PushSubscription.toJSON` writes them. */
const Bytes = (form: RegExp) => z.string().check(z.regex(form, 'This is not a key of a push subscription.'));

export const subscribePush = endpoint({
  name: 'subscribePush',
  summary:
    'Calls me on this device by Web Push for as long as this session or token lasts. 409 for what another device gave.',
  method: 'PUT',
  path: '/api/user/push-subscription',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: z.strictObject({
    endpoint: z.string().check(z.maxLength(1000, 'At most 1000 characters.')),
    keys: z.strictObject({ p256dh: Bytes(/^B[A-Za-z0-9_-]{86}$/), auth: Bytes(/^[A-Za-z0-9_-]{22}$/) }),
  }),
  status: 204,
  reply: NoContent,
});

export const unsubscribePush = endpoint({
  name: 'unsubscribePush',
  summary: 'Ends Web Push to this device.',
  method: 'DELETE',
  path: '/api/user/push-subscription',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const testPush = endpoint({
  name: 'testPush',
  summary: 'Sends a test notification to this device.',
  method: 'POST',
  path: '/api/user/push-subscription/test',
  access: 'signed-in',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  status: 200,
  /** False where this device is told of nothing. */
  reply: z.object({ is_sent: z.boolean() }),
});

export const openNotification = endpoint({
  name: 'openNotification',
  summary: 'Which message a notification of mine is about. A notification itself carries only its id.',
  method: 'GET',
  path: '/api/user/notifications/{notification}',
  access: 'signed-in',
  params: z.strictObject({ notification: Id }),
  query: Nothing,
  body: Nothing,
  status: 200,
  reply: z.object({ facility_id: Id, chat_id: Id, seq: Seq }),
});

export const noteNotificationDelivered = endpoint({
  name: 'noteNotificationDelivered',
  summary:
    'A device of mine shows a notification: the urgent messages that it calls me for are on a device. A repeat changes nothing.',
  method: 'PUT',
  path: '/api/user/notifications/{notification}/delivery',
  access: 'signed-in',
  params: z.strictObject({ notification: Id }),
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

/** What a push carries, encrypted for the browser: nothing of a person, a chat or a text (A36). */
export const PUSH_TYPES = ['message', 'message_aloud', 'urgent', 'test'] as const;
export type PushType = (typeof PUSH_TYPES)[number];

export const notificationEndpoints = [
  getNotificationSettings,
  updateNotificationSettings,
  subscribePush,
  unsubscribePush,
  testPush,
  openNotification,
  noteNotificationDelivered,
] as const;
