import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Phone } from 'lucide-react';

/** A person as both parts of the page know them. */
export interface PersonShown {
  readonly user_id: string;
  readonly name: string;
  readonly title: string | null;
  readonly avatar_url?: string | null | undefined;
}

/** What a name needs in order to lead somewhere. */
export interface NamePlace {
  readonly facility: Facility;
  readonly myId: string;
  readonly hrefOf: (facilityId: string, userId: string) => string;
  /** The chat with whoever holds an on-call role. */
  readonly roleHrefOf: (facilityId: string, roleId: string) => string;
  readonly onOpen: (facilityId: string, person: PersonShown) => void;
}

/** Somebody's name; a press opens the chat that one has with them (CHAT-17). One's own leads nowhere. */
export function PersonName({ facility, myId, hrefOf, onOpen, person }: NamePlace & { readonly person: PersonShown }) {
  const { user_id, name, title, avatar_url } = person;
  if (user_id === myId) return `${name} (you)`;
  return (
    <Link
      className="person-link"
      href={hrefOf(facility.id, user_id)}
      title={`Write to ${name}`}
      onClick={() => onOpen(facility.id, { user_id, name, title, avatar_url })}
    >
      {name}
    </Link>
  );
}

/** Calls a number; on the phone, where there is no room for it, only a receiver is seen. */
export function PhoneLink({ of, phone }: { readonly of: string; readonly phone: string }) {
  return (
    <a className="phone-link" href={`tel:${phone.replaceAll(/[^\d+*#]/g, '')}`} aria-label={`Call ${of}, ${phone}`}>
      <Icon of={Phone} />
      <span className="only-desk">{phone}</span>
    </a>
  );
}

/** One's own number, which one does not call; where there is no room it stands in the dialog that changes it. */
export function PhoneText({ phone }: { readonly phone: string }) {
  return <span className="only-desk t13 muted">{phone}</span>;
}
