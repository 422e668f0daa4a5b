import {
  addOperator,
  DISABLE_REASON_MAX,
  disableAccount,
  enableAccount,
  endAccountSessions,
  removeOperator,
  resetSecondFactors,
  type SystemAccount,
} from '@wardline/contract/facilities/system-accounts.ts';
import { counted } from '@wardline/format/counts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { DescriptionList } from '@wardline/ui/list/description-list.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { dayIn, deviceZone, formatDay } from '#/shared/time/zoned-time.ts';
import { formatFactors, formatSeen } from './system-labels.ts';
import { type Me, useRefreshSystem } from './use-system.ts';

interface AccountDialogProps {
  readonly account: SystemAccount;
  readonly me: Me;
  readonly onClose: () => void;
}

/** What an account is, and what a system administrator can do about it. Each act asks for the password, and its person is mailed. */
export function AccountDialog({ account: given, me, onClose }: AccountDialogProps) {
  const refresh = useRefreshSystem();
  const [account, setAccount] = useState(given);
  const [done, setDone] = useState<string | null>(null);
  const [isDisabling, setIsDisabling] = useState(false);
  const isMe = account.id === me.id;
  const changed = async (next: SystemAccount, text: string) => {
    setAccount(next);
    setDone(text);
    setIsDisabling(false);
    await refresh();
  };
  const frame = { open: true, onOpenChange: (isOpen: boolean) => !isOpen && onClose(), title: account.name } as const;
  if (isDisabling) {
    return (
      <DisableForm
        {...{ account, frame }}
        onDone={(next) => changed(next, 'Disabled. They were signed out everywhere.')}
        onBack={() => setIsDisabling(false)}
      />
    );
  }
  return (
    <Dialog {...frame} description={account.email} footer={<Button onClick={onClose}>Close</Button>}>
      <div className="stack stack-4">
        <p role="status" className="sr">
          {done}
        </p>
        {done !== null && (
          <Banner tone="success" announce="none">
            {done}
          </Banner>
        )}
        {account.disabled && (
          <Banner tone="warning" announce="none" title={`Disabled since ${dayOf(account.disabled.at)}.`}>
            {account.disabled.reason}
          </Banner>
        )}
        <DescriptionList
          isStacked
          items={[
            { term: 'Facilities and roles', description: <Places account={account} /> },
            { term: 'Last seen', description: formatSeen(account) },
            { term: 'Second factors', description: formatFactors(account.second_factors) },
            { term: 'Signed in', description: counted(account.open_sessions, 'session') },
          ]}
        />
        {isMe ? (
          <p className="t13 muted">
            This is your own account. Change it in your <Link href="/settings">settings</Link>; another system
            administrator can do the rest.
          </p>
        ) : (
          <Acts account={account} onChanged={changed} onDisable={() => setIsDisabling(true)} />
        )}
      </div>
    </Dialog>
  );
}

function dayOf(instant: string): string {
  const zone = deviceZone();
  return formatDay(dayIn(zone, Date.parse(instant)), dayIn(zone, Date.now()));
}

function Places({ account: { facilities } }: { readonly account: SystemAccount }) {
  if (facilities.length === 0) return 'None';
  return (
    <ul>
      {facilities.map(({ id, name, roles }) => (
        <li key={id}>
          {name}: {roles.join(', ') || 'no role'}
        </li>
      ))}
    </ul>
  );
}

interface ActsProps {
  readonly account: SystemAccount;
  readonly onChanged: (next: SystemAccount, text: string) => Promise<void>;
  readonly onDisable: () => void;
}

function Acts({ account, onChanged, onDisable }: ActsProps) {
  const call = useConfirmedCall();
  const confirm = useConfirm();
  const { name, disabled, is_operator, open_sessions, second_factors } = account;
  const params = { user: account.id };
  const hasFactor = second_factors.app || second_factors.passkeys > 0;
  const ask = (title: string, description: string, confirmLabel: string, onConfirm: () => Promise<void>) => () =>
    void confirm({ title, description, confirmLabel, onConfirm });
  const enable = ask(`Enable ${name}?`, 'They can sign in again as before.', 'Enable', async () =>
    onChanged(await call(enableAccount, { params }), 'Enabled. They can sign in again.'),
  );
  const endSessions = ask(
    `Sign ${name} out everywhere?`,
    'Every browser and app of theirs has to sign in again. What was not sent yet stays on their device.',
    'Sign out',
    async () => onChanged(await call(endAccountSessions, { params }), 'Signed out everywhere.'),
  );
  const resetFactors = ask(
    `Reset the second factors of ${name}?`,
    'Make sure first that it is them who ask. The authenticator app, passkeys and recovery codes are removed, and they are signed out everywhere.',
    'Reset',
    async () => {
      const { account: next, loses_password } = await call(resetSecondFactors, { params });
      const rest = loses_password
        ? ' Their password was too short to stand alone: they set a new one by “Forgot password”.'
        : '';
      await onChanged(next, `Second factors removed.${rest}`);
    },
  );
  const makeOperator = ask(
    `Make ${name} a system administrator?`,
    'They can do everything on this page, also to your account. It gives them nothing clinical.',
    'Make system administrator',
    async () => onChanged(await call(addOperator, { params }), 'They are a system administrator now.'),
  );
  const endOperator = ask(
    `Take the system administration from ${name}?`,
    'They are signed out everywhere. Their account stays as it is otherwise.',
    'Take it away',
    async () => onChanged(await call(removeOperator, { params }), 'They are no longer a system administrator.'),
  );
  const neutral = { variant: 'outline', color: 'neutral' } as const;
  return (
    <div className="stack">
      <div className="sys-acts">
        {open_sessions > 0 && (
          <Button {...neutral} onClick={endSessions}>
            Sign out everywhere
          </Button>
        )}
        {hasFactor && (
          <Button {...neutral} onClick={resetFactors}>
            Reset second factors
          </Button>
        )}
        {is_operator ? (
          <Button {...neutral} onClick={endOperator}>
            Remove as system administrator
          </Button>
        ) : (
          disabled === null && (
            <Button {...neutral} onClick={makeOperator}>
              Make system administrator
            </Button>
          )
        )}
        {disabled === null ? (
          <Button variant="outline" color="error" onClick={onDisable}>
            Disable account
          </Button>
        ) : (
          <Button onClick={enable}>Enable account</Button>
        )}
      </div>
      <p className="t13 muted">Each of these asks for your password, is audited, and is told to the person by email.</p>
    </div>
  );
}

interface DisableFormProps {
  readonly account: SystemAccount;
  readonly frame: { readonly open: true; readonly onOpenChange: (isOpen: boolean) => void; readonly title: string };
  readonly onDone: (next: SystemAccount) => Promise<void>;
  readonly onBack: () => void;
}

/** Asks why, since whoever enables it again has to know. */
function DisableForm({ account, frame, onDone, onBack }: DisableFormProps) {
  const call = useConfirmedCall();
  const formId = useId();
  const { props, error, isBusy } = useForm({
    names: ['reason'],
    required: { reason: 'Say why.' },
    async send({ reason }) {
      await onDone(await call(disableAccount, { params: { user: account.id }, body: { reason } }));
    },
  });
  return (
    <Dialog
      {...frame}
      closesOutside={false}
      title={`Disable ${account.name}?`}
      description="They are signed out everywhere at once and can’t sign in again until the account is enabled. Their messages stay, their on-call shifts end."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onBack}>
            Cancel
          </Button>
          <Button type="submit" form={formId} color="error" isLoading={isBusy}>
            Disable
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        <Textarea
          label="Reason"
          name="reason"
          rows={2}
          dir="auto"
          autoComplete="off"
          maxLength={DISABLE_REASON_MAX}
          help="For system administrators only. No patient names."
          error={error.fields.reason}
        />
      </form>
    </Dialog>
  );
}
