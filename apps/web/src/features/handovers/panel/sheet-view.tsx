import { serverNow } from '@wardline/client/server-clock.ts';
import {
  HANDOVER_SECTIONS,
  type Handover,
  type HandoverAction,
  type HandoverVersion,
  setHandoverAction,
} from '@wardline/contract/examinations/handovers.ts';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { useState } from 'react';
import {
  formatSigner,
  SECTION_LABELS,
  SEVERITY_LOOKS,
  SYNTHESIS_LABELS,
} from '#/features/handovers/core/handover-labels.ts';
import { clock, PatientLine } from '#/features/handovers/core/patient-line.tsx';
import { SourceLink } from '#/features/handovers/core/source-link.tsx';
import { useKeepHandover } from '#/features/handovers/core/use-handover.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';

interface SheetViewProps {
  readonly version: HandoverVersion;
  readonly handover: Handover;
  readonly chatPath: string;
  readonly zone: string;
}

/** A signed sheet: whose it is, what it says and where that comes from, what is to be done, who signed it. */
export function SheetView({ version, handover, chatPath, zone }: SheetViewProps) {
  const { format, severity, patient, lines, actions, hands_over_chat, reason } = version;
  const ill = severity && SEVERITY_LOOKS[severity];
  return (
    <>
      {patient && <PatientLine patient={patient} />}
      <div className="hand-block row wrap">
        {ill && (
          <Badge tone={ill.tone} icon={ill.icon}>
            {ill.word}
          </Badge>
        )}
        {version.version > 1 && (
          <span className="t13">
            Version {version.version}: {reason}
          </span>
        )}
        {hands_over_chat && <span className="t13 muted">The chat goes with it.</span>}
      </div>
      {HANDOVER_SECTIONS[format].map((section) => {
        const said = lines.filter((line) => line.section === section);
        if (said.length === 0) return null;
        return (
          <section key={section} className="hand-block" aria-label={SECTION_LABELS[section]}>
            <h3>{SECTION_LABELS[section]}</h3>
            <ul className="hand-lines">
              {said.map(({ text, source, is_quoted }) => (
                <li key={`${source?.id} ${text}`}>
                  <p className="hand-text" dir="auto">
                    {text}
                  </p>
                  {source && (
                    <p className="t12">
                      <SourceLink {...{ source, chatPath, zone }} isQuoted={is_quoted} />
                    </p>
                  )}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      {actions.length > 0 && (
        <section className="hand-block" aria-label="Action list">
          <h3>Action list</h3>
          <ul className="hand-lines">
            {actions.map((action) => (
              <li key={action.id}>
                <Action {...{ action, handover, zone }} isCurrent={version.version === handover.sheet_version} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <Signatures {...{ version, zone }} />
    </>
  );
}

interface ActionProps extends Pick<SheetViewProps, 'handover' | 'zone'> {
  readonly action: HandoverAction;
  /** Of the sheet that stands; another one is only read. */
  readonly isCurrent: boolean;
}

/** One thing to be done, with who and when; ticked off by whoever works on. */
function Action({ action, handover, zone, isCurrent }: ActionProps) {
  const call = useCall();
  const keep = useKeepHandover();
  const isOnline = useOnline();
  const [error, setError] = useState<string | null>(null);
  const { id, text, owner, due_at } = action;
  const done = isCurrent ? handover.done.find(({ action_id }) => action_id === id) : undefined;
  const isLate = !done && due_at !== null && handover.state === 'received' && Date.parse(due_at) < serverNow();
  const set = async (is_done: boolean) => {
    setError(null);
    try {
      keep(await call(setHandoverAction, { params: { handover: handover.id, action: id }, body: { is_done } }));
    } catch (failure) {
      setError(`Not changed. ${formatAction(failure)}`);
    }
  };
  const about = [owner, due_at && `by ${clock(zone, due_at)}`].filter(Boolean).join(', ');
  const help = done ? `Done by ${done.by.name}, ${clock(zone, done.at)}` : about;
  return isCurrent ? (
    <>
      <Checkbox
        label={<span dir="auto">{text}</span>}
        help={<span className={isLate ? 'c-error' : undefined}>{isLate ? `Late: ${help}` : help}</span>}
        checked={done !== undefined}
        disabled={!handover.my.can_tick || !isOnline}
        onChange={(event) => void set(event.target.checked)}
      />
      {error && (
        <p className="c-error t12" role="alert">
          {error}
        </p>
      )}
    </>
  ) : (
    <p className="hand-text">
      <span dir="auto">{text}</span> <span className="muted">{about}</span>
    </p>
  );
}

/** Who gave it, and who received it with what they understood. */
function Signatures({ version, zone }: Pick<SheetViewProps, 'version' | 'zone'>) {
  const { given, receipt, sha256, format } = version;
  return (
    <section className="hand-block" aria-label="Signatures">
      {receipt && (
        <>
          <h3>{SYNTHESIS_LABELS[format]}</h3>
          <p className="hand-text" dir="auto">
            {receipt.synthesis}
          </p>
        </>
      )}
      <h3>Signatures</h3>
      <dl className="facts hand-facts">
        <div>
          <dt>Given by</dt>
          <dd>
            {formatSigner(given.by)}, <span className="num">{clock(zone, given.at)}</span>
          </dd>
        </div>
        <div>
          <dt>Received by</dt>
          <dd>
            {receipt ? (
              <>
                {formatSigner(receipt.by)}, <span className="num">{clock(zone, receipt.at)}</span>
              </>
            ) : (
              <span className="muted">Nobody yet</span>
            )}
          </dd>
        </div>
      </dl>
      <p className="t12 muted hand-hash">SHA-256 {sha256}</p>
    </section>
  );
}

interface EarlierVersionsProps extends Omit<SheetViewProps, 'version'> {
  readonly versions: readonly HandoverVersion[];
}

/** What was signed before it was corrected, as it was. */
export function EarlierVersions({ versions, ...place }: EarlierVersionsProps) {
  if (versions.length === 0) return null;
  return (
    <section className="hand-earlier" aria-label="Earlier versions">
      {versions.map((version) => (
        <details key={version.version}>
          <summary className="hand-block">
            Version {version.version}, {version.given.by.name},{' '}
            <span className="num">{clock(place.zone, version.given.at)}</span>
          </summary>
          <SheetView version={version} {...place} />
        </details>
      ))}
    </section>
  );
}
