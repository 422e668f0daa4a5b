import { Banner } from '@wardline/ui/notice/banner.tsx';
import { CloudOff, Lock } from 'lucide-react';
import { useSettingsPlace } from './settings-context.ts';

/** Why nothing can be changed now, where that is so. */
export function ReadOnlyNote() {
  const { lacks } = useSettingsPlace();
  if (lacks === null) return null;
  if (lacks === 'network') {
    return (
      <Banner tone="neutral" icon={CloudOff} announce="none">
        You’re offline. Changing settings needs the network; what you entered stays here.
      </Banner>
    );
  }
  return (
    <Banner tone="neutral" icon={Lock} announce="none">
      You can read these settings. Changing them needs the permission to set up units, beds and the census.
    </Banner>
  );
}
