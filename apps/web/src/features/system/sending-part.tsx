import { testPush } from '@wardline/contract/chat/notifications.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { testMail } from '@wardline/contract/facilities/system.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { BellRing, Mail } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { formatReason } from './system-labels.ts';
import type { Me } from './use-system.ts';

interface SendingPartProps {
  readonly me: Me;
  readonly hasPush: boolean;
}

/** Whether email and push go out, tried with oneself; what came of it is said at the button. */
export function SendingPart({ me, hasPush }: SendingPartProps) {
  return (
    <Card isList>
      <MailTest email={me.email} />
      {hasPush && <PushTest />}
    </Card>
  );
}

const OUTCOMES: Readonly<Record<ReplyOf<typeof testMail>['outcome'], (result: ReplyOf<typeof testMail>) => string>> = {
  sent: ({ to }) => `Handed to the mail server for ${to}. See whether it arrives.`,
  kept: () => 'Kept in a folder of the server: no mail server is set, so it reaches no one.',
  failed: ({ reason }) => `Not sent. ${formatReason(reason)}.`,
};

function MailTest({ email }: { readonly email: string }) {
  const call = useCall();
  const [result, setResult] = useState<ReplyOf<typeof testMail> | null>(null);
  const test = useAction(async () => {
    setResult(null);
    setResult(await call(testMail));
  });
  return (
    <SettingsRow
      icon={Mail}
      title="Email"
      text={<Outcome of={`Goes to ${email}.`} {...{ test }} said={result && OUTCOMES[result.outcome](result)} />}
    >
      <Button variant="outline" color="neutral" isLoading={test.isBusy} onClick={test.run}>
        Send test email
      </Button>
    </SettingsRow>
  );
}

function PushTest() {
  const call = useCall();
  const [said, setSaid] = useState<string | null>(null);
  const test = useAction(async () => {
    setSaid(null);
    const { is_sent } = await call(testPush);
    setSaid(
      is_sent
        ? 'On its way to this device. See whether it arrives.'
        : 'This device gets no notifications. Turn them on in your settings first.',
    );
  });
  return (
    <SettingsRow icon={BellRing} title="Push" text={<Outcome of="Goes to this device." {...{ test, said }} />}>
      <Button variant="outline" color="neutral" isLoading={test.isBusy} onClick={test.run}>
        Send test push
      </Button>
    </SettingsRow>
  );
}

interface OutcomeProps {
  /** Where it goes. */
  readonly of: string;
  readonly test: Pick<ReturnType<typeof useAction>, 'error'>;
  readonly said: string | null;
}

function Outcome({ of, test, said }: OutcomeProps) {
  return (
    <>
      <p>{of}</p>
      <p role="status">{said}</p>
      {test.error !== null && (
        <p className="c-error" role="alert">
          {test.error}
        </p>
      )}
    </>
  );
}
