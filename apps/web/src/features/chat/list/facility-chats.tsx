import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { SectionHead } from '@wardline/ui/card/section-head.tsx';
import { useChats } from '#/features/chat/runtime/hooks.ts';
import { FacilityRow } from './facility-row.tsx';

/** The dashboard's card of my facilities, each with its chats. */
export function FacilityChats({ facilities }: { facilities: readonly Facility[] }) {
  const list = useChats();
  return (
    <section aria-labelledby="my-facilities">
      <SectionHead id="my-facilities" title={facilities.length === 1 ? 'My facility' : 'My facilities'} />
      <Card>
        <ul className="list">
          {facilities.map((facility) => (
            <li key={facility.id}>
              <FacilityRow facility={facility} list={list} />
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}
