import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@wardline/ui/link/link.tsx';
import { personPath } from './chat-paths.ts';
import { rememberPerson } from './known-person.ts';

interface PersonLinkProps {
  readonly facilityId: string;
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly title: string | null;
    readonly avatarUrl?: string | null | undefined;
  };
}

/** Somebody's name; a press opens the chat that one has with them (CHAT-17). */
export function PersonLink({ facilityId, person: { id, name, title, avatarUrl } }: PersonLinkProps) {
  const queries = useQueryClient();
  return (
    <Link
      className="person-link"
      href={personPath(facilityId, id)}
      title={`Write to ${name}`}
      onClick={() => rememberPerson(queries, facilityId, { user_id: id, name, title, avatar_url: avatarUrl ?? null })}
    >
      {name}
    </Link>
  );
}
