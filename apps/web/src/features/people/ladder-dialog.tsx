import { LADDER_STEPS_MAX, type LadderCall, type LadderStep } from '@wardline/contract/chat/urgent.ts';
import { getUrgentLadder, setUrgentLadder, type UrgentLadder } from '@wardline/contract/chat/urgent-acts.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import type { OnCallRole } from '@wardline/contract/facilities/on-call.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';

interface LadderDialogProps {
  readonly facility: Facility;
  readonly roles: readonly OnCallRole[];
  readonly onClose: () => void;
}

const NO_ROLE = 'none';
const CALLS: readonly { readonly value: LadderCall; readonly label: string }[] = [
  { value: 'again', label: 'The same people again' },
  { value: 'next', label: 'Whom the sender named next' },
  { value: 'fallback', label: 'The fallback role' },
  { value: 'everyone', label: 'Everyone in the chat' },
];

/** Who is called on where nobody acknowledges an urgent message, and after how many minutes (URG-1). */
export function LadderDialog({ facility, ...props }: LadderDialogProps) {
  const call = useCall();
  const { data, error } = useQuery({
    queryKey: ['urgent-ladder', facility.id],
    queryFn: ({ signal }) => call(getUrgentLadder, { params: { facility: facility.id }, signal }),
    // What is being written must not change under the hand.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (data) return <LadderForm {...props} facility={facility} ladder={data} />;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && props.onClose()}
      title="Urgent messages"
      footer={<Button onClick={props.onClose}>Close</Button>}
    >
      {error ? <Banner tone="error">{formatAction(error)}</Banner> : <Skeleton count={3} label="Loading the ladder" />}
    </Dialog>
  );
}

/** While it is edited a step is known by more than its place. */
type KeyedStep = LadderStep & { readonly key: string };

function withKey(step: LadderStep): KeyedStep {
  return { ...step, key: uuidv7() };
}

function LadderForm({ facility, roles, ladder, onClose }: LadderDialogProps & { readonly ladder: UrgentLadder }) {
  const call = useCall();
  const queries = useQueryClient();
  const formId = useId();
  const [steps, setSteps] = useState<readonly KeyedStep[]>(() => ladder.steps.map(withKey));
  const [roleId, setRoleId] = useState(ladder.fallback?.role_id ?? NO_ROLE);
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const change = (index: number, part: Partial<LadderStep>) =>
    setSteps(steps.map((step, at) => (at === index ? { ...step, ...part } : step)));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    setError(undefined);
    const fallback_role_id = roleId === NO_ROLE ? null : roleId;
    try {
      const body = {
        ...{ expected_version: ladder.version, fallback_role_id },
        steps: steps.map(({ after_min, call }) => ({ after_min, call })),
      };
      await call(setUrgentLadder, { params: { facility: facility.id }, body });
      await queries.invalidateQueries({ queryKey: ['urgent-ladder', facility.id] });
      onClose();
    } catch (failure) {
      setError(formatAction(failure));
      setIsBusy(false);
    }
  };
  const last = steps.at(-1)?.after_min ?? 0;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title="Urgent messages"
      description="Who is called while nobody acknowledges one. It holds for messages sent from now on."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" noValidate onSubmit={(event) => void submit(event)}>
        {error && <Banner tone="error">{error}</Banner>}
        <ol className="stack stack-3" aria-label="Steps">
          {steps.map((step, index) => (
            <li className="ladder-step" key={step.key}>
              <TextInput
                label={`Step ${index + 1}, after minutes`}
                type="number"
                min={1}
                max={240}
                value={step.after_min || ''}
                onChange={({ target }) => change(index, { after_min: Number(target.value) })}
              />
              <Select
                label="calls"
                options={CALLS}
                value={step.call}
                onValueChange={(next) => change(index, { call: next })}
              />
              <Button
                variant="ghost"
                color="neutral"
                iconOnly
                icon={Trash2}
                label={`Remove step ${index + 1}`}
                disabled={steps.length === 1}
                onClick={() => setSteps(steps.filter((_, at) => at !== index))}
              />
            </li>
          ))}
        </ol>
        <Button
          variant="outline"
          color="neutral"
          icon={Plus}
          disabled={steps.length === LADDER_STEPS_MAX}
          onClick={() => setSteps([...steps, withKey({ after_min: last + 5, call: 'everyone' })])}
        >
          Add step
        </Button>
        <Select
          label="Fallback role"
          help="Without one, or while nobody holds it, everyone in the chat is called."
          options={[{ value: NO_ROLE, label: 'No role' }, ...roles.map(({ id, name }) => ({ value: id, label: name }))]}
          value={roleId}
          onValueChange={setRoleId}
        />
      </form>
    </Dialog>
  );
}
