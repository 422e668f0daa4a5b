import { Bell, Building2, Check, Clock, Search, Settings, TriangleAlert, UserRound } from 'lucide-react';
import { Icon, type IconSize } from '#/icon/icon.tsx';
import { Link, LinkProvider } from '#/link/link.tsx';
import { Logo } from '#/logo/logo.tsx';
import { every, type Specimen } from '../specimen.ts';

const SIZES = every<IconSize>({ sm: true, md: true, lg: true, xl: true });
const GLYPHS = [Bell, Building2, Check, Clock, Search, Settings, TriangleAlert, UserRound];

function Icons() {
  return (
    <div className="stack stack-3">
      {SIZES.map((size) => (
        <div className="row wrap row-4" key={size}>
          {GLYPHS.map((glyph) => (
            <Icon of={glyph} size={size} key={glyph.displayName} />
          ))}
          <span className="t12 muted">{size}</span>
        </div>
      ))}
    </div>
  );
}

function Logos() {
  return (
    <div className="row row-4 c-primary">
      <Logo />
      <Logo look="mono" />
    </div>
  );
}

function Links() {
  return (
    <LinkProvider component={(props) => <a {...props} data-routed="" />}>
      <p>
        The census of <Link href="#icons">Thu 19 Nov</Link> waits for one unit.
      </p>
    </LinkProvider>
  );
}

export const specimen: Specimen = {
  id: 'icons',
  title: 'Icons, mark, links',
  group: 'Foundations',
  cases: [
    { name: 'Icons: sm, md, lg, xl', Show: Icons },
    { name: 'The mark', Show: Logos },
    { name: 'A link, through the router where there is one', Show: Links },
  ],
};
