import type { NotificationSettings } from '@wardline/contract/chat/notifications.ts';
import { testPush } from '@wardline/contract/chat/notifications.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { Check, Smartphone } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { type PushSupport, pushSupport, turnPushOff, turnPushOn } from './device-push.ts';
import { playTones, unlockTones } from './tones.ts';

interface DeviceRowProps {
  readonly userId: string;
  readonly pushKey: string;
  readonly installHref: string;
  readonly hasPush: boolean;
  readonly routine: NotificationSettings['sounds']['routine'];
  readonly onChanged: () => Promise<unknown>;
}

/** Whether this device is called, and the only place that asks the browser for leave. */
export function DeviceRow({ userId, pushKey, installHref, hasPush, routine, onChanged }: DeviceRowProps) {
  const call = useCall();
  const [support, setSupport] = useState<PushSupport | null>(null);
  useEffect(() => {
    const look = () => pushSupport().then(setSupport, () => setSupport('none'));
    void look();
    // On a first visit the service worker comes after the page.
    void navigator.serviceWorker?.ready?.then(look);
  }, []);
  const turnOn = useAction(async () => {
    unlockTones();
    await turnPushOn({ call, userId }, pushKey);
    setSupport(await pushSupport());
    await onChanged();
  });
  const turnOff = useAction(async () => {
    await turnPushOff({ call });
    await onChanged();
  });
  const test = useAction(async () => {
    unlockTones();
    const { is_sent } = await call(testPush);
    if (!is_sent) {
      await onChanged();
      return;
    }
    playTones('routine', routine === 'off' ? 'soft' : routine);
    sayDone('Test sent. It should show in a few seconds.');
  });
  const error = turnOn.error ?? turnOff.error ?? test.error;
  const isOn = hasPush && support === 'possible';
  return (
    <SettingsRow
      icon={Smartphone}
      title="This device"
      mark={
        isOn && (
          <Badge tone="success" icon={Check}>
            On
          </Badge>
        )
      }
      text={
        <>
          <DeviceText support={support} isOn={isOn} installHref={installHref} />
          {error !== null && <Banner tone="error">{error}</Banner>}
        </>
      }
    >
      {isOn && (
        <span className="row wrap">
          <Button variant="outline" color="neutral" isLoading={test.isBusy} onClick={test.run}>
            Send a test
          </Button>
          <Button variant="outline" color="neutral" isLoading={turnOff.isBusy} onClick={turnOff.run}>
            Turn off
          </Button>
        </span>
      )}
      {!isOn && support === 'possible' && (
        <Button isLoading={turnOn.isBusy} onClick={turnOn.run}>
          Call me on this device
        </Button>
      )}
    </SettingsRow>
  );
}

interface DeviceTextProps extends Pick<DeviceRowProps, 'installHref'> {
  readonly support: PushSupport | null;
  readonly isOn: boolean;
}

function DeviceText({ support, isOn, installHref }: DeviceTextProps) {
  switch (support) {
    case null:
      return null;
    case 'none':
      return 'This browser can’t show notifications of this site.';
    case 'install':
      return (
        <>
          On an iPhone or iPad only the installed app can call you. <Link href={installHref}>How to install it</Link>
        </>
      );
    case 'denied':
      return 'Notifications are blocked in this browser. Allow them in its settings for this site, then reload the page.';
    case 'possible':
      return isOn
        ? 'You get a notification of unread messages when the app is closed. It names nobody and shows no text.'
        : 'Get a notification of unread messages when the app is closed. It names nobody and shows no text. Your browser will ask you to allow it.';
  }
}
