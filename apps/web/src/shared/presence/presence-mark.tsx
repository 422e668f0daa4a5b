import { dutyOf } from '@wardline/contract/facilities/decide-presence.ts';
import type { Presence } from '@wardline/contract/facilities/presence.ts';
import { Dot } from '@wardline/ui/mark/dot.tsx';
import { useNow } from '#/shared/time/use-now.ts';
import { DUTY_TONES, formatPresence } from './format-presence.ts';
import { usePresences } from './use-presences.ts';
import './presence.css';

interface PresenceMarkProps {
  readonly presence: Presence | undefined;
  /** Of the facility, whose clock says until when. */
  readonly zone: string;
}

/** A dot and its words; nothing while it is not known. What ends by itself ends here within a minute. */
export function PresenceMark({ presence, zone }: PresenceMarkProps) {
  const now = useNow();
  if (!presence) return null;
  return (
    <span className="presence">
      <Dot tone={DUTY_TONES[dutyOf(presence, now).state]} /> {formatPresence(presence, { zone, now })}
    </span>
  );
}

interface PersonPresenceProps {
  readonly facilityId: string;
  readonly userId: string;
  readonly zone: string;
}

/** The same for one person, asked for here, before other words of the line. */
export function PersonPresence({ facilityId, userId, zone }: PersonPresenceProps) {
  const presence = usePresences(facilityId, [userId]).get(userId);
  if (!presence) return null;
  return (
    <>
      <PresenceMark presence={presence} zone={zone} />
      {' · '}
    </>
  );
}
