import { Banner } from '@wardline/ui/notice/banner.tsx';
import { CloudOff, Lock } from 'lucide-react';
import { useSettingsPlace } from './settings-context.ts';

/** Why nothing can be changed now, where that is so. */
export function ReadOnlyNote() {
  const { lacks, settings } = useSettingsPlace();
  if (lacks === null) return null;
  if (lacks === 'network') {
    return (
      <Banner tone="neutral" icon={CloudOff} announce="none">
        You’re offline. Changing settings needs the network; what you entered stays here.
      </Banner>
    );
  }
  const isSplit = settings.split_permissions.includes('census.configure');
  const permission = isSplit ? 'census.configure' : 'census.report_summary or census.configure';
  return (
    <Banner tone="neutral" icon={Lock} announce="none">
      {`You can read these settings. Changing them needs the permission ${permission}.`}
    </Banner>
  );
}
