import { Link } from '@wardline/ui/link/link.tsx';
import { rolePath } from './role-path.ts';

interface RoleLinkProps {
  readonly facilityId: string;
  readonly role: { readonly id: string; readonly name: string };
}

/** The name of an on-call role; a press opens the chat that one has with whoever holds it. */
export function RoleLink({ facilityId, role: { id, name } }: RoleLinkProps) {
  return (
    <Link className="person-link" href={rolePath(facilityId, id)} title={`Write to ${name}`}>
      {name}
    </Link>
  );
}
