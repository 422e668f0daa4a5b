import { RailSwitch } from '@wardline/ui/frame/rail.tsx';
import { unitWords } from '#/features/chat/index.ts';
import { useCurrentFacility } from '#/features/facilities/index.ts';
import { lazyMenu } from '#/shared/lazy/lazy-menu.tsx';

const FacilityMenu = lazyMenu(async () => (await import('./facility-menu.tsx')).FacilityMenu);

/** Says which facility one is in; the menu behind it leads to another. */
export function FacilityButton() {
  const current = useCurrentFacility();
  if (!current) return null;
  const { id, code, name } = current;
  const detail = unitWords(current.unit_count);
  return (
    <FacilityMenu trigger={<RailSwitch code={code} name={name} {...(detail ? { detail } : {})} />} currentId={id} />
  );
}
