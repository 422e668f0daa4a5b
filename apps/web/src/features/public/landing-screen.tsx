import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import type { LandingContent, Passage } from './content/page-content.ts';
import { EntryButton } from './public-layout.tsx';
import { OfflineSpecimen } from './specimens/offline-specimen.tsx';
import { ThreadSpecimen } from './specimens/thread-specimen.tsx';

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
        <ThreadSpecimen />
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
