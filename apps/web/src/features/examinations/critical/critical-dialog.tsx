import { ApiError } from '@wardline/client/http/api-error.ts';
import { CriticalCategory, type CriticalDecision, type CriticalFinding } from '@wardline/contract/chat/critical.ts';
import type { Examination } from '@wardline/contract/examinations/examinations.ts';
import { STATEMENT_MAX } from '@wardline/examination/critical-findings.ts';
import { formatCriticalFinding } from '@wardline/format/critical-finding.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { RadioGroup } from '@wardline/ui/input/radio-group.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { OctagonAlert } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { MovePayload } from '#/features/examinations/moving/move-payload.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { CATEGORY_LABELS } from '#/shared/critical/critical-labels.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { showFirstError } from '#/shared/forms/show-first-error.ts';
import { useWhoToCall, type WhoToCallLists } from './use-who-to-call.ts';
import './critical.css';

/** What is decided about it, and what is said while that waits to be sent. */
export interface Decided extends Pick<MovePayload, 'unalerted' | 'numbers'> {
  readonly critical: CriticalDecision;
}

interface CriticalDialogProps {
  readonly examination: Examination;
  /** Those that nobody has decided about. */
  readonly findings: readonly CriticalFinding[];
  readonly myId: string;
  /** An amendment needs a reason as well. */
  readonly isAmending: boolean;
  /** What that begins with. */
  readonly reason?: string | undefined;
  /** Signs with it; rejects with why it did not happen, and the dialog stays open with that. */
  readonly onDecide: (decided: Decided, reason?: string) => Promise<void>;
  readonly onClose: () => void;
}

const NO_ROLE = 'none';
const REASON_MAX = 500;

type Kind = CriticalDecision['kind'];
type Errors = Readonly<Record<string, string>>;

/** Before a critical finding is signed: whom to call and how soon, or why nobody needs to be called. */
export function CriticalDialog(props: CriticalDialogProps) {
  const { examination, findings, myId, isAmending, onDecide, onClose } = props;
  const formId = useId();
  const isOnline = useOnline();
  const [kind, setKind] = useState<Kind>('alert');
  const [category, setCategory] = useState<CriticalCategory>('minutes');
  const [people, setPeople] = useState<readonly string[]>([]);
  const [roleId, setRoleId] = useState(NO_ROLE);
  const [reason, setReason] = useState('');
  const [why, setWhy] = useState(props.reason ?? '');
  const [statements, setStatements] = useState<Errors>({});
  const [errors, setErrors] = useState<Errors>({});
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const lists = useWhoToCall(examination);
  const long = findings.filter(({ value, unit }) => unit === null && value.length > STATEMENT_MAX);

  const say = (found: Errors) => {
    flushSync(() => setErrors(found));
    showFirstError(form.current);
  };
  const decide = async () => {
    const given = { kind, people, roleId, reason, why, isAmending, statements, long };
    const missing = whatIsMissing(given);
    say(missing);
    if (Object.keys(missing).length > 0) return;
    setIsBusy(true);
    try {
      const unalerted = kind === 'alert' ? findings.map(formatCriticalFinding) : [];
      const critical = toDecision({ ...given, category });
      await onDecide({ critical, unalerted, numbers: numbersOf(lists, roleId) }, isAmending ? why.trim() : undefined);
      onClose();
    } catch (failure) {
      say(toErrors(failure));
    } finally {
      setIsBusy(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (!isBusy) void decide();
  };
  return (
    <Dialog
      open
      size="lg"
      closesOutside={false}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={isAmending ? 'Sign the amendment: critical result' : 'Sign the report: critical result'}
      description="Somebody must be told of it. It can’t be signed without a decision."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Back
          </Button>
          <Button
            type="submit"
            form={formId}
            color={kind === 'alert' ? 'error' : 'primary'}
            icon={kind === 'alert' ? OctagonAlert : undefined}
            isLoading={isBusy}
          >
            {kind === 'none' ? 'Sign without alert' : isOnline ? 'Sign and call' : 'Sign, alert later'}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} className="stack stack-4" noValidate onSubmit={onSubmit}>
        {errors['general'] && <Banner tone="error">{errors['general']}</Banner>}
        {!isOnline && (
          <Banner tone="error" title="You’re offline. Nobody is alerted until this is sent.">
            Call by telephone now. What you sign here waits on this device; the alert goes out with it.
          </Banner>
        )}
        <ul className="critical-findings" aria-label="Critical findings">
          {findings.map((finding) => (
            <li key={finding.field}>{formatCriticalFinding(finding)}</li>
          ))}
        </ul>
        {isAmending && (
          <Textarea
            label="Reason for the amendment"
            rows={2}
            maxLength={REASON_MAX}
            dir="auto"
            value={why}
            error={errors['reason']}
            onChange={({ target }) => setWhy(target.value)}
          />
        )}
        <RadioGroup
          label="Decision"
          value={kind}
          onValueChange={setKind}
          choices={[
            { value: 'alert', label: 'Raise a critical alert', help: 'Calls until somebody reads the result back' },
            { value: 'none', label: 'No alert', help: 'Say why; the reason is kept and shown in the chat' },
          ]}
        />
        {kind === 'none' ? (
          <Textarea
            label="Why does nobody need to be called?"
            rows={3}
            maxLength={REASON_MAX}
            dir="auto"
            value={reason}
            error={errors['critical.reason']}
            onChange={({ target }) => setReason(target.value)}
          />
        ) : (
          <>
            <RadioGroup
              isInline
              label="How soon"
              value={category}
              onValueChange={setCategory}
              choices={CriticalCategory.options.map((value) => {
                const { word, help } = CATEGORY_LABELS[value];
                return { value, label: word, help };
              })}
            />
            <WhoToCall
              {...{ lists, isOnline, myId, people, roleId, setPeople, setRoleId }}
              error={errors['critical.targets']}
            />
            {long.map(({ field, label }) => (
              <TextInput
                key={field}
                label={`${label}, in a few words to read back`}
                maxLength={STATEMENT_MAX}
                dir="auto"
                autoComplete="off"
                value={statements[field] ?? ''}
                error={errors[`critical.statements.${field}`]}
                onChange={({ target }) => setStatements((now) => ({ ...now, [field]: target.value }))}
              />
            ))}
          </>
        )}
      </form>
    </Dialog>
  );
}

interface Given {
  readonly kind: Kind;
  readonly people: readonly string[];
  readonly roleId: string;
  readonly reason: string;
  readonly why: string;
  readonly isAmending: boolean;
  readonly statements: Errors;
  readonly long: readonly CriticalFinding[];
}

function whatIsMissing({ kind, people, roleId, reason, why, isAmending, statements, long }: Given): Errors {
  const missing: Record<string, string> = {};
  if (isAmending && why.trim() === '') missing['reason'] = 'Say why.';
  if (kind === 'none') {
    if (reason.trim() === '') missing['critical.reason'] = 'Say why.';
    return missing;
  }
  if (people.length === 0 && roleId === NO_ROLE) missing['critical.targets'] = 'Choose whom to call.';
  for (const { field } of long) {
    if (!statements[field]?.trim()) missing[`critical.statements.${field}`] = 'Say it in a few words.';
  }
  return missing;
}

function toDecision({
  kind,
  people,
  roleId,
  reason,
  statements,
  long,
  category,
}: Given & { category: CriticalCategory }): CriticalDecision {
  if (kind === 'none') return { kind, reason: reason.trim() };
  const stated = long.map(({ field }) => ({ field, text: statements[field]?.trim() ?? '' }));
  return {
    ...{ kind, category, targets: { people: [...people], role_id: roleId === NO_ROLE ? null : roleId } },
    ...(stated.length > 0 && { statements: stated }),
  };
}

/** The server's sentences at their places, and what has none above. */
function toErrors(failure: unknown): Errors {
  const said = failure instanceof ApiError ? Object.entries(failure.fieldErrors) : [];
  const placed = said.filter(([field]) => field === 'reason' || field.startsWith('critical.'));
  const found = Object.fromEntries(placed.map(([field, sentences]) => [field, sentences.join(' ')]));
  return placed.length > 0 && placed.length === said.length ? found : { ...found, general: formatAction(failure) };
}

interface WhoToCallProps {
  readonly lists: WhoToCallLists;
  readonly isOnline: boolean;
  readonly myId: string;
  readonly people: readonly string[];
  readonly roleId: string;
  readonly error: string | undefined;
  readonly setPeople: (people: readonly string[]) => void;
  readonly setRoleId: (roleId: string) => void;
}

/** Who holds a role when it is called, or people of the chat by name. */
function WhoToCall({ lists, isOnline, myId, people, roleId, error, setPeople, setRoleId }: WhoToCallProps) {
  const errorId = useId();
  const { roles, others } = lists;
  const unread = roles.error ?? others.error;
  const options = (roles.data?.data ?? []).map(({ id, name, now }) => ({
    value: id,
    label: now ? `${name}: ${now.person.name}` : `${name}: nobody now`,
  }));
  const isUnknown = !isOnline && roles.data === undefined && others.data === undefined;
  const named = (others.data?.data ?? []).filter(({ user_id }) => user_id !== myId);
  const toggle = (userId: string) =>
    setPeople(people.includes(userId) ? people.filter((id) => id !== userId) : [...people, userId]);
  return (
    <fieldset className="stack stack-3" aria-describedby={error ? errorId : undefined} data-invalid={error && ''}>
      <legend className="label">Whom to call</legend>
      {error && (
        <p id={errorId} className="c-error t13" role="alert">
          {error}
        </p>
      )}
      {options.length > 0 && (
        <Select
          label="On call"
          value={roleId}
          options={[{ value: NO_ROLE, label: 'No role' }, ...options]}
          onValueChange={setRoleId}
        />
      )}
      {isUnknown ? (
        <p className="c-error">
          Whom to call isn’t on this device. Call by telephone, then choose “No alert” and say whom you told, or sign
          once you’re back online.
        </p>
      ) : (
        unread && <p className="c-error">{formatAction(unread)}</p>
      )}
      {!isOnline && <Numbers numbers={numbersOf(lists, roleId)} />}
      <ul className="critical-people">
        {named.map(({ user_id, name, title }) => (
          <li key={user_id}>
            <Checkbox
              label={title ? `${name}, ${title}` : name}
              checked={people.includes(user_id)}
              onChange={() => toggle(user_id)}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** Whom the signer can call: who holds the chosen role first, then everybody who is on call. */
function Numbers({ numbers }: { readonly numbers: Decided['numbers'] }) {
  if (numbers.length === 0) return null;
  return (
    <ul className="critical-people" aria-label="Telephone numbers of who is on call">
      {numbers.map(({ name, phone }) => (
        <li key={name}>
          {name}: <a href={`tel:${phone.replaceAll(/[^\d+*#]/g, '')}`}>{phone}</a>
        </li>
      ))}
    </ul>
  );
}

const MOST_NUMBERS = 6;

function numbersOf({ roles }: WhoToCallLists, roleId: string): Decided['numbers'] {
  const all = roles.data?.data ?? [];
  const chosen = all.filter(({ id }) => id === roleId);
  return [...chosen, ...all.filter(({ id }) => id !== roleId)]
    .slice(0, MOST_NUMBERS)
    .flatMap(({ name, phone, now }) => {
      const number = phone ?? now?.person.phone;
      return number ? [{ name: now ? `${name}, ${now.person.name}` : name, phone: number }] : [];
    });
}
