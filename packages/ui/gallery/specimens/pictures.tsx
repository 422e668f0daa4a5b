import { Picture } from '#/image/picture.tsx';
import broken from '../broken.webp';
import portrait from '../portrait.svg';
import type { Specimen } from '../specimen.ts';

function Shown() {
  return <Picture src={portrait} srcSet={`${portrait} 1x, ${portrait} 2x`} alt="A person" width={160} height={160} />;
}

function Missing() {
  return <Picture src={broken} alt="Plan of ward 3A" width={320} height={200} isUrgent />;
}

export const specimen: Specimen = {
  id: 'pictures',
  title: 'Pictures',
  group: 'Data',
  cases: [
    { name: 'A picture', Show: Shown },
    { name: 'One that does not load', Show: Missing },
  ],
};
