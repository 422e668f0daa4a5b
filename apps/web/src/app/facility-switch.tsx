import { useNavigate } from '@tanstack/react-router';
import { RailSwitch } from '@wardline/ui/frame/rail.tsx';
import { Menu, MenuChoice } from '@wardline/ui/menu/menu.tsx';
import { unitWords } from '#/features/chat/index.ts';
import { useCurrentFacility, useFacilities } from '#/features/facilities/index.ts';

/** Says which facility one is in and leads to another one's chats. */
export function FacilitySwitch() {
  const facilities = useFacilities();
  const current = useCurrentFacility();
  const navigate = useNavigate();
  if (!current) return null;
  const detail = unitWords(current.unit_count);
  return (
    <Menu
      trigger={
        <RailSwitch
          code={current.code}
          name={current.name}
          {...(detail ? { detail } : {})}
          aria-label={`Facility: ${current.name}`}
        />
      }
    >
      <MenuChoice
        label="My facilities"
        value={current.id}
        onValueChange={(facilityId) => void navigate({ to: '/chat/f-{$facilityId}', params: { facilityId } })}
        choices={facilities.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </Menu>
  );
}
