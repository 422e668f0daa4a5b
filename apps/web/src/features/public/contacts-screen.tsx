import type { ClientConfig } from '@wardline/contract/config.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Check } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { contactDraft } from './contact-draft.ts';
import { ContactForm, type ContactFormProps, type ContactMessage } from './contact-form.tsx';
import type { ContactsContent } from './content/page-content.ts';

interface ContactsScreenProps {
  readonly content: ContactsContent;
  readonly contact: ClientConfig['contact'];
  readonly person: ContactFormProps['person'];
  readonly send: (message: ContactMessage) => Promise<void>;
}

/** How the operator is reached: by the form, and by what they have published. */
export function ContactsScreen({ content, contact, person, send }: ContactsScreenProps) {
  const [sentFrom, setSentFrom] = useState<string | null>(null);
  const isOnline = useOnline();
  const sendAndSay = async (message: ContactMessage) => {
    await send(message);
    contactDraft.keep('');
    setSentFrom(message.email);
  };
  return (
    <div className="pub-in contact">
      <header className="land-words">
        <h1>{content.title}</h1>
        <p className="pub-lead">{content.lead}</p>
      </header>
      <Card className="contact-card">
        {sentFrom === null ? (
          <ContactForm person={person} isOnline={isOnline} send={sendAndSay} />
        ) : (
          <Sent email={sentFrom} onAnother={() => setSentFrom(null)} />
        )}
      </Card>
      <aside className="contact-side" aria-label="Before you write">
        <Direct contact={contact} />
        <dl className="prose-points">
          {content.hints.map(({ title, text }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </aside>
    </div>
  );
}

function Sent({ email, onAnother }: { email: string; onAnother: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="contact-sent" role="status">
      <Icon of={Check} size="xl" />
      <h2 ref={heading} tabIndex={-1}>
        Message sent
      </h2>
      <p>The operator answers to {email}.</p>
      <Button variant="outline" color="neutral" size="lg" onClick={onAnother}>
        Write another message
      </Button>
    </div>
  );
}

/** Nothing where the operator has published nothing. */
function Direct({ contact: { email, latitude, longitude } }: Pick<ContactsScreenProps, 'contact'>) {
  const hasPlace = latitude !== null && longitude !== null;
  if (email === null && !hasPlace) return null;
  return (
    <dl className="prose-points">
      {email !== null && (
        <div>
          <dt>Email</dt>
          <dd>
            <a href={`mailto:${email}`}>{email}</a>
          </dd>
        </div>
      )}
      {hasPlace && (
        <div>
          <dt>Location</dt>
          <dd>
            <a className="num" href={`geo:${latitude},${longitude}`}>
              {formatPlace(latitude, longitude)}
            </a>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** A place on the globe for a reader: `53.3498° N, 6.2603° W`. */
function formatPlace(latitude: number, longitude: number): string {
  const north = `${Math.abs(latitude)}° ${latitude < 0 ? 'S' : 'N'}`;
  const east = `${Math.abs(longitude)}° ${longitude < 0 ? 'W' : 'E'}`;
  return `${north}, ${east}`;
}
