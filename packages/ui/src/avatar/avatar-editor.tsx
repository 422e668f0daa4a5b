import { type ReactNode, useId, useRef } from 'react';
import { Avatar } from '#/avatar/avatar.tsx';
import { Button } from '#/button/button.tsx';
import { FieldNote, isGiven } from '#/field/field-note.tsx';
import { Progress } from '#/progress/progress.tsx';

export type AvatarEditorProps = {
  /** Whose picture it is. */
  name: string;
  src?: string | undefined;
  /** Under the name: the title, the place. */
  detail?: ReactNode;
  accept?: string | undefined;
  onFile: (file: File) => void;
  /** Without it there is nothing to remove. */
  onRemove?: (() => void) | undefined;
  /** While a picture is on its way: how far (null for unknown) and how to stop it. */
  upload?: { percent: number | null; onCancel: () => void } | undefined;
  error?: ReactNode;
};

/** One's own picture, with the ways to change and to remove it. */
export function AvatarEditor(props: AvatarEditorProps) {
  const { name, src, detail, accept = 'image/png,image/jpeg,image/webp', onFile, onRemove, upload, error } = props;
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const hasError = isGiven(error);
  return (
    <div className="avatar-editor">
      <Avatar alt={name} src={src} size={48} />
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
          <Button variant="ghost" color="neutral" disabled={upload !== undefined} onClick={() => onRemove()}>
            Remove
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        hidden
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
