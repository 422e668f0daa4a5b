import type { Chat } from '@wardline/contract/chat.ts';
import { decideNotification, type MessagePriority, type Sound } from '@wardline/contract/decide-notification.ts';
import type { NotificationSettings } from '@wardline/contract/notifications.ts';

/** So long somebody who looks at the chat needs to have read it (CHAT-5), with what the network takes. */
const READING_MS = 1500;
/** However many chats there are, one sound in so long. */
const PAUSE_MS = 3000;
/** An urgent one sounds again so often until it was seen. */
const REPEAT_MS = 15_000;
/** What was chosen, and whether it is quiet, is asked again after that. */
const FRESH_MS = 60_000;

export interface SounderDeps {
  readonly myId: string;
  readonly loadSettings: () => Promise<NotificationSettings>;
  /** Whether this is the one tab of the browser that sounds. */
  readonly isMine: () => boolean;
  readonly play: (priority: MessagePriority, sound: Sound) => void;
  /** What waits in a chat; urgent messages say so. */
  readonly priorityOf?: (chat: Chat) => MessagePriority;
  readonly now?: () => number;
}

export interface Sounder {
  /** The chats as they are now; the first ones are what was there before. */
  onChats(chats: readonly Chat[]): void;
  stop(): void;
}

/** Sounds for messages that came and are not read a moment later, as the person chose (CHAT-21, CHAT-23). */
export function createSounder(deps: SounderDeps): Sounder {
  const { myId, priorityOf = () => 'routine', now = Date.now } = deps;
  let heads: ReadonlyMap<string, number> | null = null;
  let chats: readonly Chat[] = [];
  let settings: { readonly of: Promise<NotificationSettings>; readonly at: number } | null = null;
  let lastAt = Number.NEGATIVE_INFINITY;
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
    const priority = priorityOf(chat);
    const sound = decideSound(chat, { priority, settings: chosen, now: now() });
    if (sound === 'off') return;
    if (priority === 'urgent') later(REPEAT_MS, () => void soundFor(chatId, seq).catch(() => undefined));
    if (priority === 'routine' && now() - lastAt < PAUSE_MS) return;
    lastAt = now();
    deps.play(priority, sound);
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
    stop() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

interface Asked {
  readonly priority: MessagePriority;
  readonly settings: NotificationSettings;
  readonly now: number;
}

function decideSound({ facility_id, my }: Chat, { priority, settings, now }: Asked): Sound {
  const { notify = 'all', muted_until = null, sound = false, mention_seq = 0, read_seq } = my;
  return decideNotification({
    priority,
    isMentioned: mention_seq > read_seq,
    chat: { notify, isMuted: muted_until !== null && Date.parse(muted_until) > now, hasSound: sound },
    person: { sounds: settings.sounds, isQuiet: settings.quiet_facility_ids.includes(facility_id) },
  }).sound;
}
