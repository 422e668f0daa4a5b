import { createScimToken, LONGEST_SCIM_TOKEN_DAYS } from '@wardline/contract/account/scim.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { NewTokenDialog } from '#/shared/forms/dialogs/new-token-dialog.tsx';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';

interface DirectoryDialogProps {
  readonly facility: Facility;
  readonly refresh: () => Promise<void>;
  readonly onClose: () => void;
}

/** Makes a token for the facility's directory. */
export function DirectoryDialog({ facility, ...acts }: DirectoryDialogProps) {
  const call = useConfirmedCall();
  return (
    <NewTokenDialog
      {...acts}
      what={{ noun: 'directory token', article: 'a' }}
      description="A directory that has it adds people, gives and takes the roles that you may give, and ends memberships. It stops working when you can’t manage members any more."
      readyDescription={`Copy it into your directory now; it is shown once. Whoever has it decides who belongs to ${facility.name}.`}
      exampleName="Entra ID"
      days={{ usual: LONGEST_SCIM_TOKEN_DAYS, longest: LONGEST_SCIM_TOKEN_DAYS }}
      create={async (body) =>
        (await call(createScimToken, { params: { facility: facility.id }, body })).plain_text_token
      }
    />
  );
}
