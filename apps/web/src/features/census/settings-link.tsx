import type { Facility } from '@wardline/contract/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Tooltip } from '@wardline/ui/tooltip/tooltip.tsx';
import { Settings } from 'lucide-react';
import { SETTINGS_PATH } from './census-paths.ts';

/** The way to the census settings, for those who may open the page they are a view of. */
export function SettingsLink({ facility }: { facility: Facility }) {
  if (!facility.permissions.includes('census.view')) return null;
  return (
    <Tooltip content="Census settings" side="bottom">
      <Button asChild variant="ghost" color="neutral" iconOnly icon={Settings} label="Census settings">
        <Link href={SETTINGS_PATH} />
      </Button>
    </Tooltip>
  );
}
