import { useNavigate } from '@tanstack/react-router';
import { Menu, MenuChoice } from '@wardline/ui/menu/menu.tsx';
import type { ReactElement } from 'react';
import { useFacilities } from '#/features/facilities/index.ts';

interface FacilityMenuProps {
  readonly trigger: ReactElement;
  readonly currentId: string;
}

/** My facilities; choosing one leads to its chats. */
export function FacilityMenu({ trigger, currentId }: FacilityMenuProps) {
  const facilities = useFacilities();
  const navigate = useNavigate();
  return (
    <Menu trigger={trigger}>
      <MenuChoice
        label="My facilities"
        value={currentId}
        onValueChange={(facilityId) => void navigate({ to: '/chat/f-{$facilityId}', params: { facilityId } })}
        choices={facilities.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </Menu>
  );
}
