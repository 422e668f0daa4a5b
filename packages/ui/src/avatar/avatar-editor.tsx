import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Avatar } from '#/avatar/avatar.tsx';
import { Button } from '#/button/button.tsx';
import { classNames } from '#/class-names.ts';
import { FieldNote, isGiven } from '#/field/field-note.tsx';
import { Progress } from '#/progress/progress.tsx';

export type AvatarEditorProps = {
  /** Whose picture it is. */
  name: string;
  src?: string | undefined;
  srcSet?: string | undefined;
  /** Under the name: the title, the place. */
  detail?: ReactNode;
  accept?: string | undefined;
  /** Chosen by the button, or dropped. */
  onFile: (file: File) => void;
  /** Without it there is nothing to remove. */
  onRemove?: (() => void) | undefined;
  isRemoving?: boolean | undefined;
  /** While a picture is on its way: how far (null for unknown) and how to stop it. */
  upload?: { percent: number | null; onCancel: () => void } | undefined;
  error?: ReactNode;
};

/** One's own picture, with the ways to change and to remove it. */
export function AvatarEditor(props: AvatarEditorProps) {
  const { name, src, srcSet, detail, accept = 'image/png,image/jpeg,image/webp', onFile } = props;
  const { onRemove, isRemoving, upload, error } = props;
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const [isOver, setIsOver] = useState(false);
  const hasError = isGiven(error);
  const over = (event: DragEvent, isNowOver: boolean) => {
    event.preventDefault();
    setIsOver(isNowOver);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way beside the button
    <div
      className={classNames('avatar-editor', isOver && 'is-over')}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={(event) => {
        over(event, false);
        const file = event.dataTransfer.files[0];
        if (file && upload === undefined && input.current?.matches(':disabled') === false) onFile(file);
      }}
    >
      <Avatar alt={name} src={src} srcSet={srcSet} size={48} />
      <div className="grow">
        <p className="medium strong">{name}</p>
        {detail !== undefined && <p className="t13 muted">{detail}</p>}
      </div>
      <div className="avatar-acts">
        <Button
          variant="outline"
          color="neutral"
          disabled={upload !== undefined}
          onClick={() => input.current?.click()}
          {...(hasError ? { 'aria-describedby': errorId } : {})}
        >
          Change picture
        </Button>
        {onRemove && (
          <Button
            variant="ghost"
            color="neutral"
            disabled={upload !== undefined}
            isLoading={isRemoving}
            onClick={() => onRemove()}
          >
            Remove picture
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Picture"
        accept={accept}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) onFile(file);
          // The same file can be chosen again after it was refused.
          event.target.value = '';
        }}
      />
      {upload && (
        <div className="avatar-note">
          <Progress
            value={upload.percent}
            size="sm"
            label="Uploading the picture"
            hasStatus
            onCancel={upload.onCancel}
          />
        </div>
      )}
      <span className={hasError ? 'avatar-note' : undefined} role="alert">
        <FieldNote id={errorId} error={error} />
      </span>
    </div>
  );
}
