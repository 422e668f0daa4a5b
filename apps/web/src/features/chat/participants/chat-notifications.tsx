import { serverNow } from '@wardline/client/server-clock.ts';
import type { Chat, Notifications, Notify } from '@wardline/contract/chat/chat.ts';
import { setNotifications } from '@wardline/contract/chat/chat-management.ts';
import { counted } from '@wardline/format/counts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Switch } from '@wardline/ui/input/switch.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { dayIn, formatDay, timeIn } from '#/shared/time/zoned-time.ts';

interface ChatNotificationsProps {
  readonly chat: Chat;
  readonly timeZone: string;
  readonly isOnline: boolean;
  /** Brings the chat as it is now. */
  readonly onChanged: () => void;
}

const KINDS: readonly { value: Notify; label: string }[] = [
  { value: 'all', label: 'All messages' },
  { value: 'mentions', label: 'Mentions and urgent messages' },
  { value: 'urgent', label: 'Only urgent messages' },
  { value: 'none', label: 'Nothing' },
];

const HOUR_MS = 3_600_000;
const MUTES = [1, 8, 24].map((hours) => ({ hours, label: counted(hours, 'hour') }));

/** What of this chat reaches me: mine alone, and nobody else is told. */
export function ChatNotifications({ chat, timeZone, isOnline, onChanged }: ChatNotificationsProps) {
  const call = useCall();
  const [set, setSet] = useState<Notifications | null>(null);
  const [error, setError] = useState<string | null>(null);
  const { notify = 'all', muted_until = null, sound } = set ?? chat.my;
  const now = serverNow();
  const until = muted_until === null || Date.parse(muted_until) <= now ? null : Date.parse(muted_until);

  const change = async (body: Notifications) => {
    setError(null);
    try {
      setSet(await call(setNotifications, { params: { chat: chat.id }, body }));
      onChanged();
    } catch (error) {
      setError(`Notifications were not changed. ${formatAction(error)}`);
    }
  };
  const mute = (muted_until: string | null) => void change({ notify, muted_until });
  return (
    <div className="stack stack-3">
      {error && <Banner tone="error">{error}</Banner>}
      <Select
        label="Notify me of"
        options={KINDS}
        value={notify}
        disabled={!isOnline}
        onValueChange={(next) => void change({ notify: next, muted_until })}
      />
      {/* Only a back end that knows of sounds says whether there is one. */}
      {sound !== undefined && (
        <Switch
          label="Play a sound for messages in this chat"
          help="How loud it is, and the sound of urgent messages: in Settings."
          checked={sound && notify !== 'none' && notify !== 'urgent'}
          disabled={!isOnline || notify === 'none' || notify === 'urgent'}
          onChange={({ target }) => void change({ notify, muted_until, sound: target.checked })}
        />
      )}
      {until === null ? (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw and announce a form that is none
        <div className="row wrap" role="group" aria-label="Mute for a time">
          <span className="t13 muted">Mute for</span>
          {MUTES.map(({ hours, label }) => (
            <Button
              key={hours}
              size="sm"
              variant="outline"
              color="neutral"
              disabled={!isOnline}
              onClick={() => mute(new Date(serverNow() + hours * HOUR_MS).toISOString())}
            >
              {label}
            </Button>
          ))}
        </div>
      ) : (
        <div className="row wrap">
          <span className="t13 muted" role="status">
            Muted until {formatUntil(timeZone, until, now)}. Urgent messages still come through.
          </span>
          <Button size="sm" variant="outline" color="neutral" disabled={!isOnline} onClick={() => mute(null)}>
            Unmute
          </Button>
        </div>
      )}
    </div>
  );
}

/** `14:02`, or with its day where that is another one. */
function formatUntil(zone: string, until: number, now: number): string {
  const [day, today] = [dayIn(zone, until), dayIn(zone, now)];
  const time = timeIn(zone, until);
  return day === today ? time : `${formatDay(day, today)}, ${time}`;
}
