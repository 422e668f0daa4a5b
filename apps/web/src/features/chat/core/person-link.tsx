import { Link } from '@wardline/ui/link/link.tsx';
import { useQueries } from '#/shared/queries/queries-context.ts';
import { personPath } from './chat-paths.ts';
import { rememberPerson } from './known-person.ts';

interface PersonLinkProps {
  readonly facilityId: string;
  /** False in a long list of names, where the Tab key would stop at each: arrow keys lead there. */
  readonly isInTabOrder?: boolean;
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly title: string | null;
    readonly avatarUrl?: string | null | undefined;
  };
}

/** Somebody's name; a press opens the chat that one has with them (CHAT-17). */
export function PersonLink({ facilityId, isInTabOrder = true, person }: PersonLinkProps) {
  const { id, name, title, avatarUrl } = person;
  const queries = useQueries();
  return (
    <Link
      className="person-link"
      href={personPath(facilityId, id)}
      title={`Write to ${name}`}
      {...(isInTabOrder ? {} : { tabIndex: -1 })}
      onClick={() => rememberPerson(queries, facilityId, { user_id: id, name, title, avatar_url: avatarUrl ?? null })}
    >
      {name}
    </Link>
  );
}
