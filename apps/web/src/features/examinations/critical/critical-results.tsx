import { serverNow } from '@wardline/client/server-clock.ts';
import type { MadeDecision, PlacedCriticalAlert } from '@wardline/contract/chat/critical.ts';
import type { Examination } from '@wardline/contract/examinations/examinations.ts';
import { isOpen } from '@wardline/examination/critical-alert.ts';
import { formatCriticalFinding } from '@wardline/format/critical-finding.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { OctagonAlert } from 'lucide-react';
import { CATEGORY_LABELS, formatWrong, STATE_LABELS } from '#/shared/critical/critical-labels.ts';
import { CriticalSteps } from '#/shared/critical/critical-steps.tsx';
import { formatClock } from '#/shared/time/format-clock.ts';
import './critical.css';

interface CriticalResultsProps {
  readonly examination: Examination;
  readonly chatPath: string;
  readonly zone: string;
}

/** What became of the critical findings of its reports: the alerts with their steps, and why none was raised. */
export function CriticalResults({ examination, chatPath, zone }: CriticalResultsProps) {
  const { critical_alerts: alerts = [], critical_decisions: decisions = [] } = examination;
  const told = decisions.filter(({ reason }) => reason !== null);
  if (alerts.length === 0 && told.length === 0) return null;
  return (
    <section className="exam-block" aria-label="Critical results">
      <h3>Critical results</h3>
      <ul className="stack stack-3">
        {alerts.map((alert) => (
          <li key={alert.id}>
            <Alert {...{ alert, chatPath, zone }} />
          </li>
        ))}
        {told.map((decision) => (
          <li key={decision.report_version}>
            <NoAlert {...{ decision, zone }} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Alert({
  alert,
  chatPath,
  zone,
}: { readonly alert: PlacedCriticalAlert } & Omit<CriticalResultsProps, 'examination'>) {
  const open = isOpen(alert);
  const wrong = alert.read_backs.filter(({ is_right }) => !is_right);
  return (
    <div className="critical-alert">
      <p className="row wrap">
        <Badge tone={open ? 'solid-error' : 'neutral'} icon={OctagonAlert}>
          {STATE_LABELS[alert.state]}
        </Badge>
        <span className="t13">
          {CATEGORY_LABELS[alert.category].word}, version {alert.report_version}
        </span>
      </p>
      <p className="semi strong">{alert.findings.map(formatCriticalFinding).join('; ')}</p>
      <CriticalSteps alert={alert} timeZone={zone} />
      {wrong.map(({ by, at, wrong: parts }) => (
        <p key={at} className="t13">
          <span className="num">{formatClock(zone, Date.parse(at), serverNow())}</span> {by.name} read it back, and{' '}
          {formatWrong(parts)} did not agree.
        </p>
      ))}
      <Button asChild variant={open ? 'solid' : 'outline'} color={open ? 'primary' : 'neutral'} size="md">
        <Link href={`${chatPath}?message=${alert.seq}`}>Open in the chat</Link>
      </Button>
    </div>
  );
}

function NoAlert({ decision, zone }: { readonly decision: MadeDecision; readonly zone: string }) {
  const { by, at, reason, report_version } = decision;
  return (
    <p className="t13">
      No alert for version {report_version}: {reason} <span className="muted">{by.name}, </span>
      <span className="muted num">{formatClock(zone, Date.parse(at), serverNow())}</span>
    </p>
  );
}
