import {
  getNotificationSettings,
  type MailDigest,
  type NotificationSettings,
  updateNotificationSettings,
} from '@wardline/contract/chat/notifications.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Switch } from '@wardline/ui/input/switch.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { BellRing, CloudOff, Mail, Moon, PhoneOff, Volume2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';
import { DeviceRow } from './device-row.tsx';

const settingsKey = ['account', 'notifications'] as const;

interface NotificationsPanelProps {
  readonly userId: string;
  /** The key that browsers subscribe with; empty where nobody is told by push. */
  readonly pushKey: string;
  /** How the app is installed stands there. */
  readonly installHref: string;
}

/** By which ways I am told of messages. What is changed holds at once. */
export function NotificationsPanel({ userId, pushKey, installHref }: NotificationsPanelProps) {
  const call = useCall();
  const query = useQuery({
    queryKey: settingsKey,
    queryFn: ({ signal }) => call(getNotificationSettings, { signal }),
  });
  if (query.data) {
    return (
      <Card isList>
        {pushKey !== '' && (
          <DeviceRow
            {...{ userId, pushKey, installHref }}
            hasPush={query.data.has_push}
            routine={query.data.sounds.routine}
            onChanged={() => query.refetch()}
          />
        )}
        <Choices settings={query.data} />
      </Card>
    );
  }
  if (query.isError) {
    return (
      <Card>
        <ErrorState
          level={3}
          title="These settings did not load"
          message={formatAction(query.error)}
          onRetry={() => void query.refetch()}
        />
      </Card>
    );
  }
  if (query.fetchStatus === 'paused') {
    return (
      <Card>
        <EmptyState icon={CloudOff} level={3} title="Available when you’re online" />
      </Card>
    );
  }
  return (
    <Card>
      <Skeleton count={4} label="Loading the notification settings" />
    </Card>
  );
}

type Sounds = NotificationSettings['sounds'];

const SOUNDS: readonly { value: Sounds['routine']; label: string }[] = [
  { value: 'off', label: 'Off' },
  { value: 'soft', label: 'Soft' },
  { value: 'loud', label: 'Loud' },
];
const DIGESTS: readonly { value: MailDigest; label: string }[] = [
  { value: 'off', label: 'Off' },
  { value: 'hourly', label: 'Every hour' },
  { value: 'daily', label: 'Every day at 7' },
];
const USUAL_NIGHT = { from: '22:00', until: '07:00' };

function Choices({ settings }: { settings: NotificationSettings }) {
  const { save, error } = useSave();
  const { sounds, mail_digest, quiet_hours, quiet_off_call } = settings;
  return (
    <>
      {error !== null && (
        <div className="lrow">
          <Banner tone="error">{error}</Banner>
        </div>
      )}
      <SettingsRow icon={Volume2} title="Sound for messages" text="Only in chats where you turn it on.">
        <Select
          label="Sound for messages"
          isLabelHidden
          options={SOUNDS}
          value={sounds.routine}
          onValueChange={(routine) => save({ sounds: { ...sounds, routine } })}
        />
      </SettingsRow>
      <SettingsRow
        icon={BellRing}
        title="Sound for urgent messages"
        text="Repeats until you see it, quiet hours included."
      >
        <Select
          label="Sound for urgent messages"
          isLabelHidden
          options={SOUNDS}
          value={sounds.urgent}
          onValueChange={(urgent) => save({ sounds: { ...sounds, urgent } })}
        />
      </SettingsRow>
      <SettingsRow
        icon={Moon}
        title="Quiet hours"
        text={
          <>
            Only urgent messages come through, by the hospital’s clock.
            {quiet_hours && <Hours hours={quiet_hours} onChanged={(hours) => save({ quiet_hours: hours })} />}
          </>
        }
      >
        <Switch
          label="Quiet hours"
          isLabelHidden
          checked={quiet_hours !== null}
          onChange={({ target }) => save({ quiet_hours: target.checked ? USUAL_NIGHT : null })}
        />
      </SettingsRow>
      <SettingsRow
        icon={PhoneOff}
        title="Quiet when I’m not on call"
        text="Follows your on-call shifts at each facility."
      >
        <Switch
          label="Quiet when I’m not on call"
          isLabelHidden
          checked={quiet_off_call}
          onChange={({ target }) => save({ quiet_off_call: target.checked })}
        />
      </SettingsRow>
      <SettingsRow icon={Mail} title="Email digest" text="How many messages are unread, without names or text.">
        <Select
          label="Email digest"
          isLabelHidden
          options={DIGESTS}
          value={mail_digest}
          onValueChange={(digest) => save({ mail_digest: digest })}
        />
      </SettingsRow>
    </>
  );
}

interface HoursProps {
  readonly hours: NonNullable<NotificationSettings['quiet_hours']>;
  readonly onChanged: (hours: NonNullable<NotificationSettings['quiet_hours']>) => void;
}

/** Kept when one leaves the field: while one types, a time is half a time. */
function Hours({ hours, onChanged }: HoursProps) {
  const [typed, setTyped] = useState(hours);
  const keep = () => {
    const isWhole = typed.from !== '' && typed.until !== '';
    if (isWhole && (typed.from !== hours.from || typed.until !== hours.until)) onChanged(typed);
  };
  return (
    <div className="stack">
      <div className="row wrap">
        <TextInput
          type="time"
          label="From"
          value={typed.from}
          onChange={({ target }) => setTyped({ ...typed, from: target.value })}
          onBlur={keep}
        />
        <TextInput
          type="time"
          label="Until"
          value={typed.until}
          onChange={({ target }) => setTyped({ ...typed, until: target.value })}
          onBlur={keep}
        />
      </div>
    </div>
  );
}

/**
 * Shows a change at once, and takes it back where the server refuses it. One after the other: each says all that is chosen, and
 * the last one must be what stays.
 */
function useSave() {
  const call = useCall();
  const queries = useQueryClient();
  const [error, setError] = useState<string | null>(null);
  const waiting = useRef({ last: Promise.resolve(), count: 0 });
  const change = (part: Partial<NotificationSettings>) => {
    const before = queries.getQueryData<NotificationSettings>(settingsKey);
    if (!before) return;
    const next = { ...before, ...part };
    const { sounds, mail_digest, quiet_hours, quiet_off_call } = next;
    const body = { sounds, mail_digest, quiet_hours, quiet_off_call };
    const turn = ++waiting.current.count;
    const show = (shown: NotificationSettings) => {
      if (turn === waiting.current.count) queries.setQueryData(settingsKey, shown);
    };
    setError(null);
    show(next);
    waiting.current.last = waiting.current.last.then(async () => {
      try {
        show(await call(updateNotificationSettings, { body }));
      } catch (error) {
        show(before);
        setError(`Nothing was changed. ${formatAction(error)}`);
      }
    });
  };
  return { save: change, error };
}
