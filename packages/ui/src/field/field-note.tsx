import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '#/icon/icon.tsx';

export type FieldNoteProps = {
  /** What the control points to with `aria-describedby`. */
  id: string;
  help?: ReactNode;
  /** Takes the place of the help. */
  error?: ReactNode;
};

/** The words under a control: what is wrong, with its glyph, else the help; nothing where there is neither. */
export function FieldNote({ id, help, error }: FieldNoteProps) {
  if (isGiven(error)) {
    return (
      <span className="help is-bad" id={id}>
        <Icon of={TriangleAlert} size="sm" />
        <span>{error}</span>
      </span>
    );
  }
  if (!isGiven(help)) return null;
  return (
    <span className="help" id={id}>
      {help}
    </span>
  );
}

/** Whether there is anything to read: null, false and '' are nothing. */
export function isGiven(node: ReactNode): boolean {
  return node !== undefined && node !== null && node !== false && node !== '';
}
