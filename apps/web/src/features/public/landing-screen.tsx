import { Avatar } from '@wardline/ui/avatar/avatar.tsx';
import { Button } from '@wardline/ui/button/button.tsx';
import { MessageRow } from '@wardline/ui/chat/message-row.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { CloudOff } from 'lucide-react';
import { ChatSpecimen } from './chat-specimen.tsx';
import type { LandingContent, Passage } from './content/page-content.ts';
import { EntryButton } from './public-layout.tsx';

interface LandingScreenProps {
  readonly content: LandingContent;
  readonly isSignedIn: boolean;
  /** Whether anybody may ask for an account. */
  readonly isSignUpOpen: boolean;
}

/** What this is, for whom, and the way in. */
export function LandingScreen({ content, isSignedIn, isSignUpOpen }: LandingScreenProps) {
  const { title, lead, talk, offline, data, entry } = content;
  return (
    <div className="pub-in land">
      <section className="land-hero">
        <div className="land-words">
          <h1>{title}</h1>
          <p className="pub-lead">{lead}</p>
          <div className="row row-3 wrap">
            <EntryButton isSignedIn={isSignedIn} isLarge />
            <Button asChild variant="ghost" color="neutral" size="xl">
              <Link href="/about">What happens to your data</Link>
            </Button>
          </div>
        </div>
        <ChatSpecimen />
      </section>
      <section className="land-part">
        <h2>{talk.title}</h2>
        <Points points={talk.points} />
      </section>
      <section className="land-pair">
        <OfflineSpecimen />
        <div className="land-words">
          <h2>{offline.title}</h2>
          <p>{offline.text}</p>
        </div>
      </section>
      <section className="land-part">
        <h2>{data.title}</h2>
        <Points points={data.points} />
        <p>
          <Link href="/about">More about what is kept, where, and who can read it</Link>
        </p>
      </section>
      {!isSignedIn && (
        <section className="land-entry">
          <div className="land-words">
            <h2>{entry.title}</h2>
            <p>{entry.text}</p>
          </div>
          <div className="row row-3 wrap">
            <EntryButton isSignedIn={false} isLarge />
            {isSignUpOpen && (
              <Button asChild variant="outline" size="xl">
                <Link href="/sign-up">Sign up</Link>
              </Button>
            )}
            <Button asChild variant="outline" color="neutral" size="xl">
              <Link href="/contacts">Write to the operator</Link>
            </Button>
          </div>
        </section>
      )}
    </div>
  );
}

function Points({ points }: { points: readonly Passage[] }) {
  return (
    <ul className="land-points">
      {points.map(({ title, text }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  );
}

/** A chat without a network: what was written stands there and waits. */
function OfflineSpecimen() {
  return (
    <figure className="spec">
      <div className="spec-frame">
        <Banner tone="neutral" icon={CloudOff} title="Offline." announce="none" isFlush>
          1 message will send when you’re back online.
        </Banner>
        <div className="chat-view">
          <MessageRow
            sender={{ avatar: <Avatar alt="Jonah Price" />, name: 'Jonah Price', role: 'Porter' }}
            time={{ label: '04:12', dateTime: '2026-11-20T04:12:00Z' }}
          >
            <p className="m-text">I am in the lift with bed 7, no signal for a minute.</p>
          </MessageRow>
          <MessageRow
            isOwn
            sender={{ avatar: <Avatar alt="Sam Whitfield" />, name: 'Sam Whitfield', role: 'you' }}
            time={{ label: '04:13', dateTime: '2026-11-20T04:13:00Z' }}
            state={{ kind: 'pending', word: 'Waiting to send' }}
          >
            <p className="m-text">Room is ready, come straight through.</p>
          </MessageRow>
        </div>
      </div>
      <figcaption>A chat where there is no network.</figcaption>
    </figure>
  );
}
