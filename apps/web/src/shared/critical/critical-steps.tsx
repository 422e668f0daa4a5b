import type { CriticalAlert } from '@wardline/contract/chat/critical.ts';
import { timeIn } from '#/shared/time/zoned-time.ts';
import { criticalSteps } from './critical-labels.ts';
import './critical-steps.css';

interface CriticalStepsProps {
  readonly alert: Pick<CriticalAlert, 'times' | 'state'>;
  readonly timeZone: string;
}

/** How far a critical alert has got, with the time of each step. */
export function CriticalSteps({ alert, timeZone }: CriticalStepsProps) {
  const isWithdrawn = alert.state === 'withdrawn';
  return (
    <ol className="critical-steps" aria-label="Steps">
      {criticalSteps(alert).map(({ label, at }) => (
        <li key={label} className={at === null ? undefined : 'is-reached'}>
          <b>{label}</b> <span>{at ? timeIn(timeZone, Date.parse(at)) : isWithdrawn ? 'no longer' : 'not yet'}</span>
        </li>
      ))}
    </ol>
  );
}
