import './logs.css';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { LogsPage } from './logs-page.tsx';

/** Who did what to the census, and when. The address carries what the log is narrowed to. */
export function LogsScreen({ facility }: { facility: Facility }) {
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  const navigate = useNavigate();
  return (
    <LogsPage
      facility={facility}
      search={search}
      onGo={(href) => void navigate({ href, replace: true, resetScroll: false })}
    />
  );
}
