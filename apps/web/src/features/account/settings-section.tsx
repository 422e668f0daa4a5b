import {
  SettingsSection as Section,
  type SettingsSectionProps as SectionProps,
} from '@wardline/ui/settings/settings.tsx';
import { useOnline } from '#/shared/contexts/use-online.ts';
import type { SectionId } from './settings-sections.ts';

interface SettingsSectionProps extends Omit<SectionProps, 'id' | 'isDisabled'> {
  readonly id: SectionId;
  /** Changing something here needs no network. */
  readonly isLocal?: boolean;
}

/** One part of the settings; the address leads to it by its id. Without a network it can be read, not changed. */
export function SettingsSection({ isLocal = false, ...section }: SettingsSectionProps) {
  const isOnline = useOnline();
  return <Section {...section} isDisabled={!isOnline && !isLocal} />;
}
