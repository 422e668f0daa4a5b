import { removeAvatar } from '@wardline/contract/account.ts';
import type { User } from '@wardline/contract/auth.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { type ComponentType, type DragEvent, useRef, useState } from 'react';
import { useCall } from '#/page/call-context.ts';
import { PersonAvatar } from '#/page/person-avatar.tsx';
import { sayDone } from '#/page/show-toast.ts';
import { useAction } from '#/page/use-action.ts';
import type { CropDialogProps } from './crop-dialog.tsx';
import { pictureTrouble, pictureTypes } from './picture-file.ts';

interface PictureEditorProps {
  readonly user: User;
  readonly onChanged: () => Promise<void>;
}

/** One's picture: chosen or dropped, cut out, sent; or removed. */
export function PictureEditor({ user, onChanged }: PictureEditorProps) {
  const call = useCall();
  const input = useRef<HTMLInputElement>(null);
  const [choice, setChoice] = useState<{ file: File; Dialog: ComponentType<CropDialogProps> } | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isOver, setIsOver] = useState(false);
  const remove = useAction(async () => {
    await call(removeAvatar);
    await onChanged();
    sayDone('Picture removed');
  });

  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    const trouble = pictureTrouble(file);
    setRefusal(trouble);
    if (trouble !== null) return;
    try {
      // The cutter comes when it is wanted: few people change their picture, nobody does so every day.
      const { CropDialog } = await import('./crop-dialog.tsx');
      setChoice({ file, Dialog: CropDialog });
    } catch {
      setRefusal('The part that cuts pictures could not be loaded. Check the connection.');
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    if (input.current?.disabled !== true && !input.current?.matches(':disabled'))
      void choose(event.dataTransfer.files[0]);
  };

  const trouble = refusal ?? remove.trouble;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way beside the button
    <div
      className={isOver ? 'set-picture is-over' : 'set-picture'}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <PersonAvatar name={user.name} url={user.avatar_url} size={48} />
      <div className="grow">
        <p className="medium strong breaks">{user.name}</p>
        <p className="t13 muted breaks">{placesOf(user)}</p>
      </div>
      <div className="set-picture-buttons">
        <Button variant="outline" color="neutral" onClick={() => input.current?.click()}>
          Change picture
        </Button>
        {user.avatar_url !== null && (
          <Button variant="ghost" color="neutral" isLoading={remove.isBusy} onClick={remove.run}>
            Remove picture
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Picture"
        accept={pictureTypes.join(',')}
        onChange={(event) => {
          void choose(event.target.files?.[0]);
          // The same file may be chosen again after the cutter was closed.
          event.target.value = '';
        }}
      />
      {trouble !== null && <Banner tone="error">{trouble}</Banner>}
      {choice && <choice.Dialog file={choice.file} onChanged={onChanged} onClose={() => setChoice(null)} />}
    </div>
  );
}

/** 'Charge nurse at St. Brigid General, Bank nurse at Harbour District Clinic' */
function placesOf({ memberships, email }: User): string {
  const places = memberships.map(({ title, facility_name }) =>
    title === null ? facility_name : `${title} at ${facility_name}`,
  );
  return places.length > 0 ? places.join('; ') : email;
}
