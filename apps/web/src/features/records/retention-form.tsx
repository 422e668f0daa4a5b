import {
  type AskedRule,
  previewRetention,
  RETENTION_DAYS,
  type Retention,
  type RetentionRule,
  setRetention,
} from '@wardline/contract/chat/records.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { counted } from '@wardline/format/counts.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { checkWhole } from '#/shared/forms/check-whole.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { loadAnewOnConflict } from '#/shared/forms/load-anew-on-conflict.ts';
import { SaveRow } from '#/shared/forms/save-row.tsx';
import { useForm } from '#/shared/forms/use-form.ts';
import { useRefreshRecords } from '#/shared/records/record-queries.ts';
import { momentIn } from '#/shared/time/zoned-time.ts';
import './records.css';

type Kind = RetentionRule['kind'];

const KIND_LABELS: Readonly<Record<Kind, string>> = {
  case: 'Patient chats',
  group: 'Team chats',
  direct: 'Direct chats',
  announcement: 'Announcements',
};

const MODES: readonly { value: RetentionRule['mode']; label: string }[] = [
  { value: 'keep', label: 'Keep' },
  { value: 'delete', label: 'Delete after' },
  { value: 'delete_exported', label: 'Delete after, once exported' },
];

const FIRST_DAYS = 365;
const DAYS = { least: RETENTION_DAYS.min, most: RETENTION_DAYS.max };

interface RetentionFormProps {
  readonly facility: Facility;
  readonly retention: Retention;
  /** These rules were saved here just now. */
  readonly isSaved: boolean;
  readonly onSaved: (version: number) => void;
}

/** How long the messages of each kind of chat are kept. What it would delete is said before it is saved. */
export function RetentionForm({ facility, retention, isSaved, onSaved }: RetentionFormProps) {
  const call = useConfirmedCall();
  const confirm = useConfirm();
  const refresh = useRefreshRecords(facility.id);
  const [modes, setModes] = useState(
    () =>
      Object.fromEntries(retention.rules.map(({ kind, mode }) => [kind, mode])) as Record<Kind, RetentionRule['mode']>,
  );
  const kinds = retention.rules.map(({ kind }) => kind);
  const { props, error, isBusy } = useForm({
    names: kinds,
    check: (given) =>
      Object.fromEntries(
        kinds
          .filter((kind) => modes[kind] !== 'keep')
          .map((kind) => [kind, checkWhole(given[kind], { label: 'Days', ...DAYS })]),
      ),
    fieldOf(name) {
      const [, row] = /^rules\.(\d+)\.days$/.exec(name) ?? [];
      return row === undefined ? undefined : kinds[Number(row)];
    },
    async send(given) {
      const rules = kinds.map((kind): AskedRule => {
        const mode = modes[kind];
        return { kind, mode, days: mode === 'keep' ? null : Number(given[kind]) };
      });
      const params = { facility: facility.id };
      const reached = await call(previewRetention, { params, body: { rules } });
      const save = async () => {
        const saved = await loadAnewOnConflict(
          call(setRetention, { params, body: { expected_version: retention.version, rules } }),
          refresh,
        );
        onSaved(saved.version);
        await refresh();
      };
      if (!rules.some((rule) => deletesMore(retention.rules, rule))) return save();
      await confirm({
        title: 'Delete messages for good?',
        description: formatReached(reached),
        confirmLabel: 'Save rules',
        onConfirm: save,
      });
    },
  });
  const zone = facility.time_zone;
  return (
    <Card hasPadding>
      <form className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        {retention.rules.map(({ kind, days, mode, effective_at }) => (
          <div key={kind} className="rec-rule">
            <Select
              label={KIND_LABELS[kind]}
              options={MODES}
              value={modes[kind]}
              onValueChange={(chosen) => setModes({ ...modes, [kind]: chosen })}
              help={mode === 'keep' ? undefined : formatFrom(effective_at, zone)}
            />
            {modes[kind] !== 'keep' && (
              <TextInput
                label="Days"
                aria-label={`Days, ${KIND_LABELS[kind]}`}
                name={kind}
                type="number"
                inputMode="numeric"
                min={RETENTION_DAYS.min}
                max={RETENTION_DAYS.max}
                defaultValue={String(days ?? FIRST_DAYS)}
                error={error.fields[kind]}
              />
            )}
          </div>
        ))}
        <p className="help">
          Deleted messages leave who wrote and when, and no text. A patient’s chat is kept whole until it is closed.
          Signed reports, critical alerts and what is on legal hold are never deleted.
          {formatNight(retention, zone)}
        </p>
        <SaveRow label="Save rules" {...{ isBusy, isSaved }} />
      </form>
    </Card>
  );
}

/** The next night that deletes; one before any rule begins is none. */
function formatNight({ rules, next_run_at: next }: Retention, zone: string): string {
  if (next === null) return '';
  const at = Date.parse(next);
  const deletes = rules.some(({ mode, effective_at }) => mode !== 'keep' && Date.parse(effective_at) <= at);
  return deletes ? ` Next night: ${momentIn(zone, at)}.` : '';
}

function formatFrom(effectiveAt: string, zone: string): string | undefined {
  const at = Date.parse(effectiveAt);
  return at > Date.now() ? `Deletes nothing before ${momentIn(zone, at)}.` : undefined;
}

function deletesMore(rules: readonly RetentionRule[], { kind, mode, days }: AskedRule): boolean {
  const before = rules.find((rule) => rule.kind === kind);
  if (days === null) return false;
  return (
    before === undefined ||
    before.days === null ||
    days < before.days ||
    (before.mode === 'delete_exported' && mode === 'delete')
  );
}

type Preview = ReplyOf<typeof previewRetention>;

function formatReached({ kinds, held_people }: Preview): string {
  const reached = kinds.filter(({ messages }) => messages > 0);
  const held = kinds.reduce((sum, { held_chats }) => sum + held_chats, 0);
  const unexported = kinds.reduce((sum, { unexported_chats }) => sum + unexported_chats, 0);
  const parts = reached.map(
    ({ kind, chats, messages }) =>
      `${KIND_LABELS[kind]}: up to ${counted(messages, 'message', 'messages')} in ${counted(chats, 'chat', 'chats')}.`,
  );
  const nothing = held + unexported > 0 ? 'These rules delete nothing now.' : 'No message is old enough yet.';
  return [
    reached.length > 0 ? `These rules reach now: ${parts.join(' ')}` : nothing,
    reached.length > 0 && held_people > 0
      ? `What ${counted(held_people, 'person', 'people')} on legal hold wrote stays, and is counted here.`
      : '',
    held > 0 ? `${counted(held, 'chat', 'chats')} on legal hold ${held === 1 ? 'is' : 'are'} left out.` : '',
    unexported > 0
      ? `${counted(unexported, 'chat', 'chats')} ${unexported === 1 ? 'is' : 'are'} old enough and ${unexported === 1 ? 'waits' : 'wait'} for an export.`
      : '',
    'A rule that deletes more than before begins after 24 hours; until then you can take it back.',
  ]
    .filter(Boolean)
    .join(' ');
}
