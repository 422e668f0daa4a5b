import type { Message } from '@wardline/contract/chat/chat.ts';
import type { CriticalAlert, ReadBack, WrongPart } from '@wardline/contract/chat/critical.ts';
import { readBackCritical } from '@wardline/contract/chat/critical-acts.ts';
import { COMMON_UNITS } from '@wardline/examination/forms/loinc.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useConnection } from '#/features/chat/runtime/hooks.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatWrong } from '#/shared/critical/critical-labels.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { showFirstError } from '#/shared/forms/show-first-error.ts';
import './read-back.css';

/** What the keys of a telephone for numbers can write: neither a sign before it nor `<` and `>` are among them. */
const PLAIN_NUMBER = /^\s*\d+(?:[.,]\d+)?\s*$/;

interface ReadBackDialogProps {
  readonly message: Message;
  readonly alert: CriticalAlert;
  readonly onClose: () => void;
}

/** Restates value, unit and patient. What does not agree is named; what would be right is not shown here. */
export function ReadBackDialog({ message, alert, onClose }: ReadBackDialogProps) {
  const call = useCall();
  const formId = useId();
  const unitsId = useId();
  const { isOnline } = useConnection();
  const [said, setSaid] = useState<Readonly<Record<string, string>>>({});
  const [wrong, setWrong] = useState<readonly WrongPart[]>([]);
  /** By the name of the field. */
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const at = (name: string) => said[name] ?? '';
  const put = (name: string, value: string) => {
    setSaid((now) => ({ ...now, [name]: value }));
    // Whoever says the name and the date of birth need not say the identifier.
    const isPatient = name === 'name' || name === 'born_on';
    const answered = isPatient && at('identifier').trim() === '' ? [name, 'identifier'] : [name];
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([field]) => !answered.includes(field))));
  };
  const say = (found: Errors) => {
    flushSync(() => setErrors(found));
    showFirstError(form.current);
  };

  const send = async () => {
    setWrong([]);
    setFailure(null);
    const missing = whatIsMissing(alert, at);
    if (Object.keys(missing).length > 0) return say(missing);
    setIsBusy(true);
    try {
      const params = { chat: message.chat_id, message: message.id };
      const answer = await call(readBackCritical, { params, body: toReadBack(alert, at) });
      if (answer.is_right) return onClose();
      setWrong(answer.wrong);
      say(toErrors(answer.wrong, alert, at));
    } catch (error) {
      setFailure(formatAction(error));
    } finally {
      setIsBusy(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (!isBusy) void send();
  };
  const field = (name: string, label: ReactNode, given: { list?: string; isNumber?: boolean; type?: 'date' } = {}) => (
    <TextInput
      label={label}
      type={given.type}
      list={given.list}
      inputMode={given.isNumber ? 'decimal' : 'text'}
      value={at(name)}
      maxLength={name.startsWith('unit ') ? 40 : 100}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      error={errors[name]}
      onChange={({ target }) => put(name, target.value)}
    />
  );
  return (
    <Dialog
      open
      closesOutside={false}
      onOpenChange={(isWanted) => !isWanted && onClose()}
      title="Read back"
      description="Say again what you were told. It calls on until all of it agrees."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" form={formId} size="lg" disabled={!isOnline} isLoading={isBusy}>
            Read back
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} className="stack stack-4" noValidate onSubmit={onSubmit}>
        {!isOnline && (
          <Banner tone="warning">
            You’re offline: the read-back needs the network, and it calls on. If it can’t wait, call by telephone.
          </Banner>
        )}
        {failure && <Banner tone="error">{failure}</Banner>}
        {wrong.length > 0 && (
          <Banner tone="error" title="Not agreed.">
            Check {formatWrong(wrong)}, and read it back again.
          </Banner>
        )}
        {alert.findings.map(({ field: code, label, value, unit }) => (
          <div key={code} className="read-back-finding">
            {field(`value ${code}`, label, { isNumber: PLAIN_NUMBER.test(value) })}
            {unit && field(`unit ${code}`, <UnitLabel of={label} />, { list: unitsId })}
          </div>
        ))}
        <datalist id={unitsId}>
          {COMMON_UNITS.map((unit) => (
            <option key={unit.code} value={unit.label} />
          ))}
        </datalist>
        <fieldset className="stack stack-3">
          <legend className="label">Patient: MRN or other ID, or name and date of birth</legend>
          {field('identifier', 'MRN or other ID')}
          {field('name', 'Name')}
          {field('born_on', 'Date of birth', { type: 'date' })}
        </fieldset>
      </form>
    </Dialog>
  );
}

/** Beside its finding, which only a screen reader has to name again. */
function UnitLabel({ of }: { readonly of: string }) {
  return (
    <>
      Unit<span className="sr"> of {of}</span>
    </>
  );
}

type At = (name: string) => string;
type Errors = Readonly<Record<string, string>>;

function whatIsMissing({ findings }: CriticalAlert, at: At): Errors {
  const isEmpty = (name: string) => at(name).trim() === '';
  const errors: Record<string, string> = {};
  for (const { field, unit } of findings) {
    if (isEmpty(`value ${field}`)) errors[`value ${field}`] = 'Say the value.';
    if (unit !== null && isEmpty(`unit ${field}`)) errors[`unit ${field}`] = 'Say the unit.';
  }
  if (isEmpty('identifier') && (isEmpty('name') || isEmpty('born_on')))
    errors['identifier'] = 'Say the MRN or other ID, or the name and the date of birth.';
  return errors;
}

/** What did not agree, at each field that says it. */
function toErrors(wrong: readonly WrongPart[], { findings }: CriticalAlert, at: At): Errors {
  const names = wrong.flatMap(({ part, label }) =>
    part === 'patient'
      ? ['identifier', 'name', 'born_on'].filter((name) => at(name).trim() !== '')
      : findings.filter((finding) => finding.label === label).map(({ field }) => `${part} ${field}`),
  );
  return Object.fromEntries(names.map((name) => [name, 'Does not agree.']));
}

function toReadBack({ findings }: CriticalAlert, at: At): ReadBack {
  return {
    findings: findings.map(({ field }) => ({ field, value: at(`value ${field}`), unit: at(`unit ${field}`) })),
    patient: { name: at('name'), identifier: at('identifier'), born_on: at('born_on') || null },
  };
}
