import type { Message } from '@wardline/contract/chat/chat.ts';
import type { CriticalAlert, ReadBack, WrongPart } from '@wardline/contract/chat/critical.ts';
import { readBackCritical } from '@wardline/contract/chat/critical-acts.ts';
import { COMMON_UNITS } from '@wardline/examination/forms/loinc.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { type FormEvent, useId, useState } from 'react';
import { useConnection } from '#/features/chat/runtime/hooks.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatWrong } from '#/shared/critical/critical-labels.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
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
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const at = (name: string) => said[name] ?? '';
  const put = (name: string, value: string) => setSaid((now) => ({ ...now, [name]: value }));

  const send = async () => {
    const missing = whatIsMissing(alert, at);
    setWrong([]);
    setError(missing);
    if (missing !== null) return;
    setIsBusy(true);
    try {
      const params = { chat: message.chat_id, message: message.id };
      const answer = await call(readBackCritical, { params, body: toReadBack(alert, at) });
      if (answer.is_right) return onClose();
      setWrong(answer.wrong);
    } catch (failure) {
      setError(formatAction(failure));
    } finally {
      setIsBusy(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (!isBusy) void send();
  };
  const isWrong = (part: WrongPart['part'], label: string | null) =>
    wrong.some((one) => one.part === part && one.label === label) ? 'Does not agree.' : undefined;
  const field = (
    name: string,
    label: string,
    given: { problem?: string | undefined; list?: string; isNumber?: boolean },
  ) => (
    <TextInput
      label={label}
      list={given.list}
      inputMode={given.isNumber ? 'decimal' : 'text'}
      value={at(name)}
      maxLength={name.startsWith('unit ') ? 40 : 100}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      error={given.problem}
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
      <form id={formId} className="stack stack-4" noValidate onSubmit={onSubmit}>
        {!isOnline && (
          <Banner tone="warning">
            You’re offline: the read-back needs the network, and it calls on. If it can’t wait, call by telephone.
          </Banner>
        )}
        {error && <Banner tone="error">{error}</Banner>}
        {wrong.length > 0 && (
          <Banner tone="error" title="Not agreed.">
            Check {formatWrong(wrong)}, and read it back again.
          </Banner>
        )}
        {alert.findings.map(({ field: code, label, value, unit }) => (
          <div key={code} className="read-back-finding">
            {field(`value ${code}`, label, { problem: isWrong('value', label), isNumber: PLAIN_NUMBER.test(value) })}
            {unit && field(`unit ${code}`, `Unit of ${label}`, { problem: isWrong('unit', label), list: unitsId })}
          </div>
        ))}
        <datalist id={unitsId}>
          {COMMON_UNITS.map((unit) => (
            <option key={unit.code} value={unit.label} />
          ))}
        </datalist>
        <fieldset className="stack stack-3">
          <legend className="label">Patient: MRN or other ID, or name and date of birth</legend>
          {field('identifier', 'MRN or other ID', { problem: isWrong('patient', null) })}
          {field('name', 'Name', {})}
          <TextInput
            type="date"
            label="Date of birth"
            value={at('born_on')}
            onChange={({ target }) => put('born_on', target.value)}
          />
        </fieldset>
      </form>
    </Dialog>
  );
}

type At = (name: string) => string;

function whatIsMissing({ findings }: CriticalAlert, at: At): string | null {
  const empty = findings.find(
    ({ field, unit }) => at(`value ${field}`).trim() === '' || (unit !== null && at(`unit ${field}`).trim() === ''),
  );
  if (empty) return `Say ${empty.label}${empty.unit ? ' with its unit' : ''}.`;
  const isSaid = at('identifier').trim() !== '' || (at('name').trim() !== '' && at('born_on') !== '');
  return isSaid ? null : 'Say the patient’s MRN or other ID, or the name and the date of birth.';
}

function toReadBack({ findings }: CriticalAlert, at: At): ReadBack {
  return {
    findings: findings.map(({ field }) => ({ field, value: at(`value ${field}`), unit: at(`unit ${field}`) })),
    patient: { name: at('name'), identifier: at('identifier'), born_on: at('born_on') || null },
  };
}
