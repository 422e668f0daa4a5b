import './audit.css';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { AuditPage } from './audit-page.tsx';
import { EmergencyPage } from './emergency-page.tsx';
import { ReadersPage } from './readers-page.tsx';

interface AuditScreenProps {
  readonly facility: Facility;
}

/** The address carries what the list is narrowed to. */
function useAddress() {
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  const navigate = useNavigate();
  const onGo = (href: string) => void navigate({ href, replace: true, resetScroll: false });
  return { search, onGo };
}

export function AuditScreen({ facility }: AuditScreenProps) {
  return <AuditPage facility={facility} {...useAddress()} />;
}

export function EmergencyScreen({ facility }: AuditScreenProps) {
  return <EmergencyPage facility={facility} />;
}

export function ReadersScreen({ facility }: AuditScreenProps) {
  return <ReadersPage facility={facility} {...useAddress()} />;
}
