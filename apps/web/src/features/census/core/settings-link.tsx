import type { Facility } from '@wardline/contract/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Tooltip } from '@wardline/ui/tooltip/tooltip.tsx';
import { Settings } from 'lucide-react';
import { settingsPathFor } from './census-paths.ts';

/** The way to the census settings, for those who may open a page they are a view of. */
export function SettingsLink({ facility }: { facility: Facility }) {
  const path = settingsPathFor(facility.permissions);
  if (path === null) return null;
  return (
    <Tooltip content="Census settings" side="bottom">
      <Button asChild variant="ghost" color="neutral" iconOnly icon={Settings} label="Census settings">
        <Link href={path} />
      </Button>
    </Tooltip>
  );
}
