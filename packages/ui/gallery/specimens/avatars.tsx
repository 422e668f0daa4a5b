import { FlaskConical, UsersRound } from 'lucide-react';
import { Avatar, type AvatarSize } from '#/avatar/avatar.tsx';
import type { Tone } from '#/mark/dot.tsx';
import broken from '../broken.webp';
import portrait from '../portrait.svg';
import { every, type Specimen } from '../specimen.ts';

const SIZES: Readonly<Record<AvatarSize, true>> = {
  16: true,
  20: true,
  24: true,
  28: true,
  32: true,
  36: true,
  40: true,
  44: true,
  48: true,
};
const sizes = Object.keys(SIZES).map((size) => Number(size) as AvatarSize);
const TONES = every<Tone>({ neutral: true, primary: true, success: true, warning: true, error: true });

function Sizes() {
  return (
    <div className="stack stack-3">
      <div className="row wrap row-3">
        {sizes.map((size) => (
          <Avatar alt="Ana Reyes" size={size} key={size} />
        ))}
      </div>
      <div className="row wrap row-3">
        {sizes.map((size) => (
          <Avatar alt="Ana Reyes" src={portrait} size={size} key={size} />
        ))}
      </div>
    </div>
  );
}

function Kinds() {
  return (
    <div className="row wrap row-3">
      <Avatar alt="Ana" size={40} isNamed />
      <Avatar alt="A picture that does not load" src={broken} size={40} isNamed />
      <Avatar alt="Night team" icon={UsersRound} size={40} isNamed />
      <Avatar alt="Laboratory" icon={FlaskConical} isNamed />
    </div>
  );
}

function Presence() {
  return (
    <div className="row wrap row-3">
      {TONES.map((tone) => (
        <Avatar alt="Owen Hart" size={48} presence={{ tone, label: tone }} isNamed key={tone} />
      ))}
      {sizes.map((size) => (
        <Avatar alt="Owen Hart" size={size} presence={{ tone: 'success', label: 'on duty' }} isNamed key={size} />
      ))}
    </div>
  );
}

export const specimen: Specimen = {
  id: 'avatars',
  title: 'Avatar',
  group: 'Marks',
  cases: [
    { name: '16 to 48 px, initials and picture', Show: Sizes },
    { name: 'One word, a broken picture, a group, a place', Show: Kinds },
    { name: 'Presence', Show: Presence },
  ],
};
