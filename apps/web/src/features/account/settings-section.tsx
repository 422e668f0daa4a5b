import { type ReactNode, useId } from 'react';
import { useOnline } from '#/page/use-online.ts';
import type { SectionId } from './settings-sections.ts';

interface SettingsSectionProps {
  readonly id: SectionId;
  readonly title: string;
  /** At the right end of the title's line. */
  readonly aside?: ReactNode;
  /** Changing something here needs no network. */
  readonly isLocal?: boolean;
  readonly children: ReactNode;
}

/** One part of the settings; the address leads to it by its id. Without a network it can be read, not changed. */
export function SettingsSection({ id, title, aside, isLocal = false, children }: SettingsSectionProps) {
  const titleId = useId();
  const isOnline = useOnline();
  return (
    <section id={id} aria-labelledby={titleId} tabIndex={-1} className="set-section">
      <fieldset className="set-bare" disabled={!isOnline && !isLocal}>
        <div className="set-head">
          <h2 id={titleId}>{title}</h2>
          {aside}
        </div>
        {children}
      </fieldset>
    </section>
  );
}
