import { Button } from '@wardline/ui/button/button.tsx';
import { Menu, MenuItem } from '@wardline/ui/menu/menu.tsx';
import { Camera, Image, Mic, Paperclip } from 'lucide-react';
import { type ChangeEvent, cloneElement, type ReactElement, useRef, useState } from 'react';
import { mayRecord } from '#/features/chat/voice/browser-recorder.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';

const RecordDialog = lazyPart(async () => (await import('#/features/chat/voice/record-dialog.tsx')).RecordDialog, {
  onMissing: closeMissing,
});

const PICTURES = 'image/jpeg,image/png,image/webp';

interface AttachMenuProps {
  readonly trigger: ReactElement<{ onClick?: () => void }>;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Where files come from. With a mouse there is only one such place beside the microphone, and no menu before it. */
export function AttachMenu({ trigger, onFiles }: AttachMenuProps) {
  const any = useRef<HTMLInputElement>(null);
  const pictures = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const input = {
    type: 'file',
    hidden: true,
    onChange({ currentTarget }: ChangeEvent<HTMLInputElement>) {
      const chosen = [...(currentTarget.files ?? [])];
      // The same file can be chosen again.
      currentTarget.value = '';
      if (chosen.length > 0) onFiles(chosen);
    },
  };
  const [isRecording, setIsRecording] = useState(false);
  const record = () => setIsRecording(true);
  const isTouch = globalThis.matchMedia?.('(pointer: coarse)').matches;
  return (
    <>
      {isTouch ? (
        <Menu trigger={trigger} side="top">
          <MenuItem icon={Camera} onSelect={() => camera.current?.click()}>
            Take a photo
          </MenuItem>
          <MenuItem icon={Image} onSelect={() => pictures.current?.click()}>
            Choose photos
          </MenuItem>
          <MenuItem icon={Paperclip} onSelect={() => any.current?.click()}>
            Choose files
          </MenuItem>
          {mayRecord() && (
            <MenuItem icon={Mic} onSelect={record}>
              Record a voice note
            </MenuItem>
          )}
        </Menu>
      ) : (
        <>
          {cloneElement(trigger, { onClick: () => any.current?.click() })}
          {mayRecord() && <Button {...look} icon={Mic} label="Record a voice note" onClick={record} />}
        </>
      )}
      {isRecording && <RecordDialog onDone={(file) => onFiles([file])} onClose={() => setIsRecording(false)} />}
      <input {...input} ref={any} multiple aria-label="Files" />
      <input {...input} ref={pictures} multiple accept={PICTURES} aria-label="Photos" />
      <input {...input} ref={camera} accept={PICTURES} capture="environment" aria-label="Photo" />
    </>
  );
}

const look = { variant: 'ghost', color: 'neutral', iconOnly: true } as const;
