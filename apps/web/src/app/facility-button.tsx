import { RailSwitch } from '@wardline/ui/frame/rail.tsx';
import { lazy, Suspense } from 'react';
import { unitWords } from '#/features/chat/index.ts';
import { useCurrentFacility } from '#/features/facilities/index.ts';

const FacilityMenu = lazy(async () => ({ default: (await import('./facility-menu.tsx')).FacilityMenu }));

/** Says which facility one is in; the menu behind it leads to another. */
export function FacilityButton() {
  const current = useCurrentFacility();
  if (!current) return null;
  const { id, code, name } = current;
  const detail = unitWords(current.unit_count);
  const button = <RailSwitch code={code} name={name} {...(detail ? { detail } : {})} />;
  return (
    <Suspense fallback={button}>
      <FacilityMenu trigger={button} currentId={id} />
    </Suspense>
  );
}
