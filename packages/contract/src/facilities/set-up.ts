import * as z from 'zod/mini';
import { LinkToken, PersonName, sameTwice } from '../account/account.ts';
import { endpoint } from '../endpoint.ts';
import { Email, Id, NewPassword, NoContent, Nothing } from '../values.ts';
import { ClockTime, FacilityCode, FacilityName, Latitude, Longitude, TimeZone } from './facility-settings.ts';

const params = z.strictObject({ token: LinkToken });

export const showSetUp = endpoint({
  name: 'showSetUp',
  summary:
    'Whether an installation can still be set up with the link of its log; 404 for ever after, and always from another machine.',
  method: 'GET',
  path: '/api/setup/{token}',
  access: 'public',
  params,
  query: Nothing,
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const setUp = endpoint({
  name: 'setUp',
  summary: 'Makes the first administrator and the first facility, once, and signs that person in.',
  method: 'POST',
  path: '/api/setup/{token}',
  access: 'public',
  params,
  query: Nothing,
  body: z
    .strictObject({
      name: PersonName,
      email: Email,
      password: NewPassword,
      password_confirmation: z.string(),
      facility_name: FacilityName,
      facility_code: FacilityCode,
      time_zone: TimeZone,
      census_time: ClockTime,
      latitude: z.optional(z.nullable(Latitude)),
      longitude: z.optional(z.nullable(Longitude)),
    })
    .check(sameTwice),
  status: 201,
  reply: z.object({
    facility_id: Id,
    /** The origin where people use it, if it is another one than the set-up's: one signs in there. */
    goes_on_at: z.nullable(z.string()),
  }),
});

export const setUpEndpoints = [showSetUp, setUp] as const;
