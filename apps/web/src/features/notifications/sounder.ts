import { isTemporary } from '@wardline/client/http/api-error.ts';
import { onServerClock } from '@wardline/client/server-clock.ts';
import type { Chat, Notify } from '@wardline/contract/chat/chat.ts';
import { decideNotification, type MessagePriority, type Sound } from '@wardline/contract/chat/decide-notification.ts';
import type { NotificationSettings } from '@wardline/contract/chat/notifications.ts';

/** So long somebody who looks at the chat needs to have read it (CHAT-5), with what the network takes. */
const READING_MS = 1500;
/** However many chats there are, one sound in so long. */
const PAUSE_MS = 3000;
/** An urgent one sounds again so often until it was seen. */
const REPEAT_MS = 15_000;
/** And so soon once, where the server could not be asked. */
const RETRY_MS = 3000;
/** What was chosen, and whether it is quiet, is asked again after that. */
const FRESH_MS = 60_000;

export interface UrgentCall {
  readonly chatId: string;
  readonly messageId: string;
}

export interface SounderDeps {
  readonly myId: string;
  readonly loadSettings: () => Promise<NotificationSettings>;
  /** Whether this is the one tab of the browser that sounds. */
  readonly isMine: () => boolean;
  readonly play: (priority: MessagePriority, sound: Sound) => void;
  /** Whether an urgent message still waits for the person to accept it. */
  readonly isWaiting: (messageId: string) => Promise<boolean>;
  readonly now?: () => number;
}

export interface Sounder {
  /** The chats as they are now; the first ones are what was there before. */
  onChats(chats: readonly Chat[]): void;
  /** The person is called for an urgent message: by its first call, or by one more of its ladder. */
  onUrgent(called: UrgentCall): void;
  stop(): void;
}

/** Sounds for messages that came and are not read a moment later, as the person chose (CHAT-21, CHAT-23). */
export function createSounder(deps: SounderDeps): Sounder {
  const { myId, now = Date.now } = deps;
  let heads: ReadonlyMap<string, number> | null = null;
  let chats: readonly Chat[] = [];
  let settings: { readonly of: Promise<NotificationSettings>; readonly at: number } | null = null;
  let lastAt = Number.NEGATIVE_INFINITY;
  /** Of each urgent message the turn that goes on. */
  const turns = new Map<string, object>();
  const timers = new Set<ReturnType<typeof setTimeout>>();

  const later = (ms: number, work: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  };

  function freshSettings(): Promise<NotificationSettings> {
    if (settings && now() - settings.at <= FRESH_MS) return settings.of;
    const asked = { of: deps.loadSettings(), at: now() };
    settings = asked;
    asked.of.catch(() => {
      if (settings === asked) settings = null;
    });
    return asked.of;
  }

  async function soundFor(chatId: string, seq: number): Promise<void> {
    const isUnread = () => chats.find(({ id, my }) => id === chatId && my.unread > 0 && my.read_seq < seq);
    if (!deps.isMine() || !isUnread()) return;
    const chosen = await freshSettings();
    const chat = isUnread();
    if (!chat) return;
    const sound = decideSound(chat, { settings: chosen, now: onServerClock(now()) });
    if (sound === 'off' || now() - lastAt < PAUSE_MS) return;
    lastAt = now();
    deps.play('routine', sound);
  }

  /** False where nobody is to be called any more. In another tab's turn it goes on in silence: that tab may be closed. */
  async function soundOnce(called: UrgentCall): Promise<boolean> {
    if (!deps.isMine()) return true;
    const [chosen, isWaiting] = await Promise.all([freshSettings(), deps.isWaiting(called.messageId)]);
    const chat = chats.find(({ id }) => id === called.chatId);
    const sound = decideUrgentSound(chat?.my.notify, chosen);
    if (!isWaiting || sound === 'off') return false;
    lastAt = now();
    deps.play('urgent', sound);
    return true;
  }

  async function soundUrgent(called: UrgentCall, hasFailed = false): Promise<void> {
    const turn = {};
    turns.set(called.messageId, turn);
    // One gap in the network must not end the calling; who is told nothing of the message any more is called no more.
    const goesOn = await soundOnce(called).catch((error: unknown) => isTemporary(error) && null);
    if (goesOn === false || turns.get(called.messageId) !== turn) return;
    later(goesOn === null && !hasFailed ? RETRY_MS : REPEAT_MS, () => {
      // Whoever has read it has been called enough, until the ladder calls again, which begins anew.
      const isSeen = chats.some(({ id, my }) => id === called.chatId && my.unread === 0);
      if (!isSeen && turns.get(called.messageId) === turn) void soundUrgent(called, goesOn === null);
    });
  }

  return {
    onChats(next) {
      const before = heads;
      chats = next;
      heads = new Map(next.map((chat) => [chat.id, chat.head_seq]));
      if (before === null) return;
      for (const { id, head_seq, last_message, my } of next) {
        // A chat that is new to the list has nothing that came before one's eyes.
        const isNew = head_seq > (before.get(id) ?? 0);
        const isOthers = last_message?.kind !== 'system' && last_message?.sender_id !== myId;
        // Offline the settings cannot be asked, and nothing came anyway.
        if (isNew && isOthers && my.unread > 0)
          later(READING_MS, () => void soundFor(id, head_seq).catch(() => undefined));
      }
    },
    onUrgent: (called) => void soundUrgent(called),
    stop() {
      turns.clear();
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

interface Asked {
  readonly settings: NotificationSettings;
  readonly now: number;
}

function decideSound({ facility_id, my }: Chat, { settings, now }: Asked): Sound {
  const { notify = 'all', muted_until = null, sound = false, mention_seq = 0, read_seq } = my;
  return decideNotification({
    priority: 'routine',
    isMentioned: mention_seq > read_seq,
    chat: { notify, isMuted: muted_until !== null && Date.parse(muted_until) > now, hasSound: sound },
    person: { sounds: settings.sounds, isQuiet: settings.quiet_facility_ids.includes(facility_id) },
  }).sound;
}

/** Neither a mute nor quiet hours hold it back; a chat that one was called into just now has no choice of one's own yet. */
function decideUrgentSound(notify: Notify = 'all', { sounds }: NotificationSettings): Sound {
  const chat = { notify, isMuted: false, hasSound: false };
  return decideNotification({ priority: 'urgent', isMentioned: true, chat, person: { sounds, isQuiet: false } }).sound;
}
