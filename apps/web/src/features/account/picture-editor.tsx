import { removeAvatar } from '@wardline/contract/account/account.ts';
import type { User } from '@wardline/contract/account/auth.ts';
import { AvatarEditor } from '@wardline/ui/avatar/avatar-editor.tsx';
import { type ComponentType, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { usePersonPicture } from '#/shared/pictures/person-picture.ts';
import type { CropDialogProps } from './crop-dialog.tsx';

const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'];

const largestMb = 20;
const bytesPerMb = 1024 * 1024;

/** Why a file cannot become a picture, or null. What is sent is cut out and small, so the file itself may be large. */
function pictureError({ type, size }: Pick<File, 'type' | 'size'>): string | null {
  if (!pictureTypes.includes(type)) return 'Choose a JPEG, PNG or WebP picture.';
  if (size > largestMb * bytesPerMb) return `Choose a picture of at most ${largestMb} MB.`;
  return null;
}

interface PictureEditorProps {
  readonly user: User;
  readonly onChanged: () => Promise<void>;
}

/** One's picture: chosen or dropped, cut out, sent; or removed. */
export function PictureEditor({ user, onChanged }: PictureEditorProps) {
  const call = useCall();
  const [choice, setChoice] = useState<{ file: File; Dialog: ComponentType<CropDialogProps> } | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const remove = useAction(async () => {
    await call(removeAvatar);
    await onChanged();
    sayDone('Picture removed');
  });

  const choose = async (file: File) => {
    const error = pictureError(file);
    setRefusal(error);
    if (error !== null) return;
    try {
      // The cutter comes when it is wanted: few people change their picture, nobody does so every day.
      const { CropDialog } = await import('./crop-dialog.tsx');
      setChoice({ file, Dialog: CropDialog });
    } catch {
      setRefusal('The picture editor could not be loaded. Check the connection.');
    }
  };
  return (
    <>
      <AvatarEditor
        name={user.name}
        {...usePersonPicture(user.avatar_url, 48)}
        detail={placesOf(user)}
        accept={pictureTypes.join(',')}
        onFile={(file) => void choose(file)}
        onRemove={user.avatar_url === null ? undefined : remove.run}
        isRemoving={remove.isBusy}
        error={refusal ?? remove.error}
      />
      {choice && <choice.Dialog file={choice.file} onChanged={onChanged} onClose={() => setChoice(null)} />}
    </>
  );
}

/** 'Charge nurse at St. Brigid General, Bank nurse at Harbour District Clinic' */
function placesOf({ memberships, email }: User): string {
  const places = memberships.map(({ title, facility_name }) =>
    title === null ? facility_name : `${title} at ${facility_name}`,
  );
  return places.length > 0 ? places.join('; ') : email;
}
