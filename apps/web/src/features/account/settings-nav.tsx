import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { type SectionId, sectionPath, sections } from './settings-sections.ts';

interface SettingsNavProps {
  readonly ids: readonly SectionId[];
  /** The part that the address names. */
  readonly current: string;
}

/** The list of the parts: beside them, or over them where there is no room. */
export function SettingsNav({ ids, current }: SettingsNavProps) {
  const marked = ids.find((id) => id === current) ?? ids[0];
  return (
    <nav className="set-nav" aria-label="Settings">
      {ids.map((id) => (
        <Link
          key={id}
          href={sectionPath(id)}
          {...(id === marked ? { 'aria-current': 'true' as const } : {})}
          // The router brings the part into view; the keyboard goes on from there too.
          onClick={() => document.getElementById(id)?.focus({ preventScroll: true })}
        >
          <Icon of={sections[id].icon} />
          {sections[id].label}
        </Link>
      ))}
    </nav>
  );
}
