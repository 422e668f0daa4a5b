import type { IconSize } from '#/icon/icon.tsx';
import { NamedIcon } from '#/icon/named-icon.tsx';
import { every, type Specimen } from '../specimen.ts';

const SIZES = every<IconSize>({ sm: true, md: true, lg: true, xl: true });
const STETHOSCOPE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24">
  <g fill="none" stroke="#000" stroke-linecap="round" stroke-linejoin="round" stroke-width="2">
    <path d="M11 2v2M5 2v2m0-1H4a2 2 0 0 0-2 2v4a6 6 0 0 0 12 0V5a2 2 0 0 0-2-2h-1" />
    <path d="M8 15a6 6 0 0 0 12 0v-3" />
    <circle cx="20" cy="10" r="2" />
  </g>
</svg>`;

function Sizes() {
  return (
    <div className="row wrap row-4">
      {SIZES.map((size) => (
        <NamedIcon svg={STETHOSCOPE} size={size} key={size} />
      ))}
      <span className="c-primary">
        <NamedIcon svg={STETHOSCOPE} size="xl" label="Clinic" />
      </span>
    </div>
  );
}

function OnItsWay() {
  return (
    <p className="row">
      <NamedIcon svg={null} />
      Its place is kept.
    </p>
  );
}

export const specimen: Specimen = {
  id: 'named-icons',
  title: 'Icons by name',
  group: 'Foundations',
  cases: [
    { name: 'Sizes, in the colour of the text', Show: Sizes },
    { name: 'Before the drawing is there', Show: OnItsWay },
  ],
};
