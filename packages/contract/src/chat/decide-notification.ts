import type { Notify } from './chat.ts';

export type MessagePriority = 'routine' | 'urgent';
export type Sound = 'off' | 'soft' | 'loud';

/** All that decides whether, and how, a person is told of a message that they have not read. */
export interface NotificationContext {
  readonly priority: MessagePriority;
  /** Whether it calls this person, by name or with all others. */
  readonly isMentioned: boolean;
  /** What the person chose for the chat. */
  readonly chat: { readonly notify: Notify; readonly isMuted: boolean; readonly hasSound: boolean };
  /** What they chose for themselves. */
  readonly person: {
    readonly sounds: Readonly<Record<MessagePriority, Sound>>;
    /** Whether these are their quiet hours. */
    readonly isQuiet: boolean;
  };
}

export interface NotificationDecision {
  /** A notification on their devices: none, one without a sound, or one with it. */
  readonly push: 'none' | 'silent' | 'aloud';
  /** What an open page plays. */
  readonly sound: Sound;
  /** Whether the mail digest counts it. */
  readonly digest: boolean;
}

/**
 * Whether a person may be told of a message now, and by which way: one rule for push, sound and mail (decision 034). Urgent
 * ones come through a mute for a time and through quiet hours; `none` stops them too. A routine one makes a sound only in a
 * chat that was chosen for it. A digest makes no noise, so quiet hours do not hold it back.
 */
export function decideNotification({ priority, isMentioned, chat, person }: NotificationContext): NotificationDecision {
  const isUrgent = priority === 'urgent';
  const isWanted =
    chat.notify === 'all' || (chat.notify === 'mentions' && isMentioned) || (isUrgent && chat.notify !== 'none');
  if (!isWanted || (chat.isMuted && !isUrgent)) return { push: 'none', sound: 'off', digest: false };
  if (person.isQuiet && !isUrgent) return { push: 'none', sound: 'off', digest: true };
  const sound = isUrgent || chat.hasSound ? person.sounds[priority] : 'off';
  return { push: sound === 'off' ? 'silent' : 'aloud', sound, digest: true };
}

export interface QuietHours {
  /** `22:00`, in the time of the facility; null without fixed times. The second is not included. */
  readonly from: string | null;
  readonly until: string | null;
  /** Also whenever one holds no on-call role there. */
  readonly offCall: boolean;
}

/** Whether it is quiet at `localTime`, `HH:MM` in the facility's zone. Times that are equal are the whole day. */
export function isQuietNow(
  { from, until, offCall }: QuietHours,
  { localTime, isOnCall }: { readonly localTime: string; readonly isOnCall: boolean },
): boolean {
  if (offCall && !isOnCall) return true;
  if (from === null || until === null) return false;
  const isPastFrom = localTime >= from;
  const isBeforeUntil = localTime < until;
  return from < until ? isPastFrom && isBeforeUntil : isPastFrom || isBeforeUntil;
}
