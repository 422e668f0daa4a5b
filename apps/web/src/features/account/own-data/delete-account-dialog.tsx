import type { User } from '@wardline/contract/account/auth.ts';
import { type AccountDeletion, deleteAccount, getAccountDeletion } from '@wardline/contract/account/own-data.ts';
import { counted } from '@wardline/format/counts.ts';
import { formatList } from '@wardline/format/names.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useId } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useUnsentCount } from '#/shared/contexts/device-context.ts';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { formatUnsent } from '#/shared/forms/format-unsent.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { useQuery } from '#/shared/queries/use-query.ts';

interface DeleteAccountDialogProps {
  readonly user: User;
  /** The account is no more: leaves this device as nobody. */
  readonly onDeleted: () => Promise<void>;
  readonly onClose: () => void;
}

/** Says what goes and what stays, what stands in the way, and deletes the account once the address was typed. */
export function DeleteAccountDialog({ user, onDeleted, onClose }: DeleteAccountDialogProps) {
  const plainCall = useCall();
  const call = useConfirmedCall();
  const formId = useId();
  const deletion = useQuery({
    queryKey: ['account', 'deletion'],
    queryFn: ({ signal }) => plainCall(getAccountDeletion, { signal }),
    gcTime: 0,
  });
  const { props, error, isBusy } = useForm({
    names: ['email'],
    required: { email: 'Enter your email address.' },
    async send(body) {
      await call(deleteAccount, { body });
      await onDeleted();
    },
  });
  const hindrances = deletion.data ? formatHindrances(deletion.data) : [];
  const isOffered = deletion.data !== undefined && hindrances.length === 0;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title="Delete your account?"
      description="This can’t be undone."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          {isOffered && (
            <Button type="submit" form={formId} color="error" isLoading={isBusy}>
              Delete account
            </Button>
          )}
        </>
      }
    >
      {deletion.isPending && <Skeleton shape="text" count={4} label="Loading what would end" />}
      {deletion.isError && (
        <ErrorState
          level={3}
          title="What would end did not load"
          message={formatAction(deletion.error)}
          onRetry={() => void deletion.refetch()}
        />
      )}
      {hindrances.map((text) => (
        <Banner key={text} tone="warning">
          {text}
        </Banner>
      ))}
      {isOffered && (
        <form id={formId} className="stack stack-4" {...props}>
          {error.general && <Banner tone="error">{error.general}</Banner>}
          <Consequences deletion={deletion.data} />
          <TextInput
            label={`Type ${user.email} to confirm`}
            name="email"
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            maxLength={254}
            error={error.fields.email}
          />
        </form>
      )}
    </Dialog>
  );
}

function Consequences({ deletion }: { readonly deletion: AccountDeletion }) {
  const { waiting, failed, kinds } = useUnsentCount();
  const unsent = waiting + failed;
  const { facilities, open_shifts: shifts } = deletion;
  return (
    <>
      {unsent > 0 && (
        <Banner tone="warning">
          {`${formatUnsent(unsent, kinds)} on this device ${unsent === 1 ? 'is' : 'are'} not sent yet and would be lost.`}
        </Banner>
      )}
      <div className="stack stack-1">
        <p className="label">This goes at once</p>
        <ul className="stack stack-1 t13">
          <li>Your email address, password, second factors, picture, phone numbers and settings.</li>
          <li>Every session, app and notification of yours. What is unsent on other devices can never be sent.</li>
          {facilities.length > 0 && <li>Your membership of {formatList(facilities)}, with its chats.</li>}
          {shifts > 0 && (
            <li>{`${counted(shifts, 'on-call shift')} of yours. Whoever plans them is told that nobody has them now.`}</li>
          )}
        </ul>
      </div>
      <div className="stack stack-1">
        <p className="label">This stays</p>
        <ul className="stack stack-1 t13">
          <li>
            What you wrote, signed, reported and did, as part of the records, under your name marked “account deleted”.
          </li>
          <li>You can register again with the same address. You then start as someone new.</li>
        </ul>
      </div>
    </>
  );
}

function formatHindrances({ sole_facilities: facilities, is_last_operator: isLast }: AccountDeletion): string[] {
  return [
    ...(facilities.length > 0
      ? [
          `You are the last person who can manage the members of ${formatList(facilities)}. Give someone else that permission first.`,
        ]
      : []),
    ...(isLast
      ? ['You are the last system administrator of this installation. Someone else must become one first.']
      : []),
  ];
}
