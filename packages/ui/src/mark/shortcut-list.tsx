import { classNames } from '#/class-names.ts';
import { Kbd } from '#/mark/kbd.tsx';

export type ShortcutListProps = {
  groups: ReadonlyArray<{
    title: string;
    shortcuts: ReadonlyArray<{ label: string; keys: readonly string[]; isOff?: boolean | undefined }>;
  }>;
};

/** Every key and what it does, in groups; for the sheet of shortcuts. */
export function ShortcutList({ groups }: ShortcutListProps) {
  return (
    <div className="keys-sheet">
      {groups.map(({ title, shortcuts }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <dl>
            {shortcuts.map(({ label, keys, isOff }) => (
              <div key={label} className={classNames(isOff && 'is-off') || undefined}>
                <dt>{label}</dt>
                <dd>
                  <Kbd keys={keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
