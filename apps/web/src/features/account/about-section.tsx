import { Card } from '@wardline/ui/card/card.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { useProductName } from '#/shared/navigation/page-title.ts';
import { SettingsSection } from './settings-section.tsx';

/** Which product and which build this is, for whoever is asked for help. */
export function AboutSection({ build }: { build: string | null }) {
  const product = useProductName();
  return (
    <SettingsSection id="about" title="About" isLocal>
      <Card hasPadding className="stack">
        <p className="medium strong">{product}</p>
        {build !== null && (
          <p className="t13 muted">
            Build <span className="mono breaks">{build}</span>
          </p>
        )}
        <p className="row row-4 wrap t13">
          <Link className="set-link" href="/about">
            About {product}
          </Link>
          <Link className="set-link" href="/contacts">
            Contacts
          </Link>
        </p>
      </Card>
    </SettingsSection>
  );
}
