import { formatTimeOfDay } from '@wardline/format/clocks.ts';
import type { FacilityConfig } from '#/features/census/core/config-queries.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import { formatDay } from '#/features/census/core/labels.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { findPermitted } from '#/platform/http/authorization/find-permissions.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import type { SettingsChange } from './change-settings.ts';

const LABELS: Readonly<Record<string, string>> = {
  time_zone: 'time zone',
  census_time: 'census hour',
  grace_minutes: 'grace in minutes',
  four_eyes: 'four eyes',
  sign_off_time: 'sign-off time',
  lock_after_days: 'days until a signed day locks',
};

interface Announcement {
  readonly discussions: CensusDeps['discussions'];
  readonly place: FacilityConfig;
  readonly actor: Actor;
  /** With the date from which it holds. */
  readonly clock: SettingsChange;
}

/**
 * Tells everybody who works with the census of a facility what holds from when on. In a chat of its own: that of the alerts is
 * for those who sign.
 */
export async function announceClock(
  tx: Transaction,
  { discussions, place, actor, clock: { before, after } }: Announcement,
): Promise<readonly Publication[]> {
  const { facility_id: facilityId } = place;
  const { from, ...changed } = after;
  if (typeof from !== 'string') return [];
  const people = new Set([actor.userId]);
  for (const permission of ['census.view', 'census.report_units', 'census.report_summary', 'census.logs'] as const) {
    for (const id of await findPermitted(tx, { facilityId, permission })) people.add(id);
  }
  const changes = Object.entries(changed).map(
    ([field, value]) =>
      `${LABELS[field] ?? field} ${formatField(field, before[field], place)} → ${formatField(field, value, place)}`,
  );
  const day = formatDay(from, place);
  const said = await discussions.say(tx, {
    facilityId,
    chatId: null,
    title: `Census rules from ${day}`,
    people: [...people],
    by: { userId: actor.userId, name: actor.name },
    body: `changed the rules of the census from ${day} on: ${changes.join('; ')}. Earlier days keep theirs.`,
  });
  return said.publish;
}

function formatField(field: string, value: unknown, { hour_cycle }: FacilityConfig): string {
  if (field.endsWith('_time')) return formatTimeOfDay(String(value), hour_cycle);
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}
