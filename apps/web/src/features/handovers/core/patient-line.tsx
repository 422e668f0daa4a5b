import { serverNow } from '@wardline/client/server-clock.ts';
import type { Patient } from '@wardline/contract/chat/chat.ts';
import { formatIdentifier } from '@wardline/format/names.ts';
import { Fragment } from 'react';
import { formatClock } from '#/shared/time/format-clock.ts';
import { formatBirthDate } from '#/shared/time/zoned-time.ts';

/** Whom it is about: the name and a second identifier, and where they lie. */
export function PatientLine({ patient }: { readonly patient: Patient }) {
  const { name, identifier, born_on, bed } = patient;
  const about = [formatIdentifier(identifier), born_on && `born ${formatBirthDate(born_on)}`, bed && `bed ${bed}`];
  return (
    <p className="hand-patient">
      <b className="semi strong">{name}</b>{' '}
      <span className="num">
        {about.filter(Boolean).map((part, place) => (
          <Fragment key={part}>
            {place > 0 && ' · '}
            <span className="whole">{part}</span>
          </Fragment>
        ))}
      </span>
    </p>
  );
}

/** When something was said or signed, by the facility's clock. */
export function clock(zone: string, at: string): string {
  return formatClock(zone, Date.parse(at), serverNow());
}
