import { Moon, Sun } from 'lucide-react';
import type { ColourMode } from '#/colour-mode/colour-mode.ts';
import { SkipLink } from '#/frame/skip-link.tsx';
import { Icon } from '#/icon/icon.tsx';
import { Logo } from '#/logo/logo.tsx';
import { caseName, GROUPS, type Specimen, type SpecimenCase } from './specimen.ts';

type GalleryProps = { specimens: readonly Specimen[]; mode: ColourMode };

/** Every component of the kit, a section each. */
export function Gallery({ specimens, mode }: GalleryProps) {
  return (
    <>
      <SkipLink />
      <header className="g-top">
        <span className="brand">
          <Logo />
          Wardline
        </span>
        <h1>Kit</h1>
        <nav className="seg push" aria-label="Mode">
          <a href="?mode=light" {...(mode === 'light' ? { 'aria-current': 'true' as const } : {})}>
            <Icon of={Sun} size="sm" />
            Light
          </a>
          <a href="?mode=dark" {...(mode === 'dark' ? { 'aria-current': 'true' as const } : {})}>
            <Icon of={Moon} size="sm" />
            Dark
          </a>
        </nav>
      </header>
      <div className="g-body">
        <nav className="g-nav" aria-label="Sections">
          {GROUPS.map((group) => (
            <div key={group}>
              <h2>{group}</h2>
              {specimens
                .filter((specimen) => specimen.group === group)
                .map(({ id, title }) => (
                  <a href={`#${id}`} key={id}>
                    {title}
                  </a>
                ))}
            </div>
          ))}
        </nav>
        <main className="g-main" id="main" tabIndex={-1}>
          {specimens.map((specimen) => (
            <section className="g-section" id={specimen.id} aria-labelledby={`${specimen.id}-title`} key={specimen.id}>
              <h2 id={`${specimen.id}-title`}>
                <a href={`#${specimen.id}`}>{specimen.title}</a>
              </h2>
              {specimen.cases.map((one, index) => (
                <Case key={one.name} one={one} address={`?mode=${mode}&only=${caseName(specimen, index)}`} />
              ))}
            </section>
          ))}
        </main>
      </div>
    </>
  );
}

function Case({ one: { name, Show, height }, address }: { one: SpecimenCase; address: string }) {
  return (
    <div className="g-case">
      <div className="g-name">
        {name}
        {height !== undefined && (
          <a href={address}>
            Open<span className="sr"> {name}</span>
          </a>
        )}
      </div>
      {height === undefined ? (
        <div>
          <Show />
        </div>
      ) : (
        // Inert, so that a dialog in it takes neither the focus nor the keyboard of this page; its own page has both.
        <iframe title={name} src={address} height={height} loading="lazy" inert />
      )}
    </div>
  );
}
