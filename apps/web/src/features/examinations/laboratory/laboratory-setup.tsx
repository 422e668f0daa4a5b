import {
  LABORATORY_CODES_MAX,
  type LaboratoryFeed,
  setLaboratoryFeed,
} from '@wardline/contract/examinations/laboratory.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { listOnCallRoles, MOST_ON_CALL_ROLES } from '@wardline/contract/facilities/on-call.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card, CardHead } from '@wardline/ui/card/card.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { useQuery } from '#/shared/queries/use-query.ts';
import { useRefreshLaboratory } from './laboratory-queries.ts';

interface LaboratorySetupProps {
  readonly facility: Facility;
  readonly feed: LaboratoryFeed;
}

const NOBODY = 'none';

/** How results come in, whose numbers count, whom a critical one calls, and what the laboratory's codes are. */
export function LaboratorySetup({ facility, feed }: LaboratorySetupProps) {
  const call = useCall();
  const refresh = useRefreshLaboratory(facility.id);
  const roles = useQuery({
    queryKey: ['on-call-roles', facility.id, 'laboratory'],
    queryFn: ({ signal }) =>
      call(listOnCallRoles, { params: { facility: facility.id }, query: { limit: MOST_ON_CALL_ROLES }, signal }),
  });
  const [role, setRole] = useState(feed.critical_role?.id ?? NOBODY);
  const { props, error, isBusy } = useForm({
    names: ['authority', 'codes'],
    async send({ authority, codes }) {
      const body = {
        ...{ version: feed.version, authority: authority.trim() || null, codes: readCodes(codes) },
        critical_role_id: role === NOBODY ? null : role,
      };
      await call(setLaboratoryFeed, { params: { facility: facility.id }, body });
      sayDone('Saved');
      await refresh();
    },
  });
  const known = roles.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const held =
    feed.critical_role && !known.some(({ value }) => value === feed.critical_role?.id) ? [feed.critical_role] : [];
  return (
    <div className="stack stack-4">
      <Card>
        <CardHead level={2} title="Sending results" />
        <div className="card-pad stack stack-1">
          <p>
            The laboratory sends ORU^R01 messages to where the patient system sends its own: by MLLP, or by HTTP with
            the token of an account that has the role Patient system.
          </p>
          <p className="muted">
            A result goes to the open chat about its patient, by number and date of birth. Where there is none, or more
            than one, it waits under To assign. Nothing is dropped.
          </p>
        </div>
      </Card>
      <Card>
        <CardHead level={2} title="Matching and calling" />
        <form className="card-pad stack stack-4" {...props}>
          {error.general && <Banner tone="error">{error.general}</Banner>}
          <TextInput
            label="Authority of patient numbers"
            name="authority"
            defaultValue={feed.authority ?? ''}
            maxLength={60}
            autoComplete="off"
            help="As PID-3.4 names it. Numbers of other authorities don’t count. Empty: all count."
            error={error.fields.authority}
          />
          <Select
            label="Critical results call"
            value={role}
            onValueChange={setRole}
            options={[
              { value: NOBODY, label: 'Everybody in the chat' },
              ...held.map(({ id, name }) => ({ value: id, label: name })),
              ...known,
            ]}
            help="Where the unit of the patient’s bed has an on-call role of its own, that is called instead. A critical result without a chat calls who may assign results."
          />
          <Textarea
            label="Codes of the laboratory"
            name="codes"
            rows={6}
            className="mono"
            autoComplete="off"
            spellCheck={false}
            defaultValue={feed.codes.map(({ code, loinc }) => `${code} ${loinc}`).join('\n')}
            help={`One a line: the laboratory’s code, a space, the LOINC code (K 2823-3). At most ${LABORATORY_CODES_MAX}.`}
            error={error.fields.codes}
          />
          <div>
            <Button type="submit" isLoading={isBusy}>
              Save
            </Button>
          </div>
        </form>
      </Card>
    </div>
  );
}

/** A line for each code; what is no LOINC code is refused by the server, with words. */
function readCodes(text: string): { code: string; loinc: string }[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const at = line.search(/\s\S+$/);
      return at === -1 ? { code: line, loinc: '' } : { code: line.slice(0, at).trim(), loinc: line.slice(at).trim() };
    });
}
