import { Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '#/button/button.tsx';
import { classNames } from '#/class-names.ts';
import { FieldNote, isGiven } from '#/field/field-note.tsx';
import { Icon } from '#/icon/icon.tsx';

export type FileDropProps = {
  /** What is wanted: 'Drop the census sheet here'. */
  label: ReactNode;
  /** Which kinds and how large. */
  help?: ReactNode;
  error?: ReactNode;
  buttonLabel?: string | undefined;
  /** As the attribute of a file input: '.csv,text/csv'. */
  accept?: string | undefined;
  isMultiple?: boolean | undefined;
  isDisabled?: boolean | undefined;
  /** What was chosen or dropped, never empty. Whether it will do is for the caller to say. */
  onFiles: (files: readonly File[]) => void;
};

/** A place to drop files, with a button for those who do not drag. */
export function FileDrop(props: FileDropProps) {
  const { label, help, error, buttonLabel = 'Choose a file', accept, isMultiple = false, isDisabled = false } = props;
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const noteId = useId();
  const hasError = isGiven(error);

  const take = (list: FileList | null) => {
    const files = isMultiple ? [...(list ?? [])] : [...(list ?? [])].slice(0, 1);
    if (files.length > 0 && !isDisabled) props.onFiles(files);
  };
  const over = (event: DragEvent, isNowOver: boolean) => {
    event.preventDefault();
    setIsOver(isNowOver && !isDisabled);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut of the pointer; the button is the control
    <div
      className={classNames('drop', isOver && 'is-over', hasError && 'is-bad')}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={(event) => {
        over(event, false);
        take(event.dataTransfer.files);
      }}
    >
      <Icon of={Upload} size="lg" />
      <p className="medium strong">{label}</p>
      <Button
        variant="outline"
        color="neutral"
        disabled={isDisabled}
        onClick={() => input.current?.click()}
        {...(hasError || isGiven(help) ? { 'aria-describedby': noteId } : {})}
      >
        {buttonLabel}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={isMultiple}
        onChange={(event) => {
          take(event.target.files);
          // The same file can be chosen again after it was refused.
          event.target.value = '';
        }}
      />
      <span role="alert">{hasError && <FieldNote id={noteId} error={error} />}</span>
      {!hasError && <FieldNote id={noteId} help={help} />}
    </div>
  );
}
