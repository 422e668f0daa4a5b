import type { CriticalDecision, CriticalFinding, MadeDecision } from '@wardline/contract/chat/critical.ts';
import type { Entry } from '@wardline/contract/examinations/examinations.ts';
import { criticalFindings, criticalQuestion, withStatements } from '@wardline/examination/critical-findings.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { Publication } from '#/platform/http/publish.ts';
import type { ExaminationDeps, HeldAlerts } from './deps.ts';
import type { ExaminationRecord } from './examination-queries.ts';

interface Signed {
  readonly actor: Actor;
  readonly examination: ExaminationRecord;
  readonly reportVersion: number;
  readonly before: readonly Entry[];
  readonly after: readonly Entry[];
  readonly decision: CriticalDecision | null;
}

interface Decided {
  /** In the order in which they are told. */
  readonly publish: readonly Publication[];
  readonly audit: object;
}

/**
 * After a report was signed: ends the alerts about what it changed, and does what was decided about what is critical and new in it.
 * Refused where nothing was decided.
 */
export async function decideCritical(
  tx: DatabaseTransaction,
  { critical }: ExaminationDeps,
  { held, ...signed }: Signed & { readonly held: HeldAlerts },
): Promise<Decided> {
  const { actor, examination, reportVersion, decision } = signed;
  const { id, chat_id: chatId, template } = examination;
  const [before, after] = [signed.before, signed.after].map((entries) => criticalFindings(template.fields, entries));
  const alerts = await critical.list(tx, id);
  const { outdated, undecided } = criticalQuestion({ before: before ?? [], after: after ?? [], alerts });
  requireDecision(undecided, decision);
  const note = `Version ${reportVersion} of the report replaces it.`;
  const withdrawn = outdated.length > 0 ? await held.withdraw({ actor, chatId, alertIds: outdated, note }) : [];
  const detail = outdated.length > 0 ? { withdrawn_alerts: outdated } : {};
  if (decision === null) return { publish: withdrawn, audit: detail };
  const made = { examination_id: id, report_version: reportVersion, decided_by: actor.userId, decided_at: new Date() };
  if (decision.kind === 'none') {
    await tx
      .insertInto('critical_decisions')
      .values({ ...made, reason: decision.reason })
      .execute();
    return { publish: withdrawn, audit: { ...detail, critical: { kind: decision.kind } } };
  }
  const { patient } = examination;
  if (patient === null) throw new AppError('conflict');
  const findings = requireStatements(undecided, decision);
  const about = { id, title: examination.title, reportVersion };
  const { alertId, publish } = await held.raise({ actor, chatId, examination: about, findings, patient });
  await tx
    .insertInto('critical_decisions')
    .values({ ...made, alert_id: alertId })
    .execute();
  return {
    publish: [...withdrawn, ...publish],
    audit: {
      ...detail,
      critical: { kind: 'alert', alert: alertId, category: decision.category, targets: decision.targets },
    },
  };
}

function requireDecision(undecided: readonly CriticalFinding[], decision: CriticalDecision | null): void {
  if (undecided.length > 0 && decision === null) {
    const labels = undecided.map(({ label }) => label).join(', ');
    throw invalidField('critical', `Critical: ${labels}. Choose whom to call, or say why nobody needs to be.`);
  }
  if (undecided.length === 0 && decision !== null) {
    throw invalidField('critical', 'Nothing critical is new in this report.');
  }
}

function requireStatements(
  undecided: readonly CriticalFinding[],
  { statements = [] }: CriticalDecision & { kind: 'alert' },
): CriticalFinding[] {
  const { findings, missing } = withStatements(undecided, statements);
  const [first] = missing;
  if (first) {
    throw invalidField(
      `critical.statements.${first.field}`,
      `${first.label}: say in a few words what is to be read back.`,
    );
  }
  return findings;
}

const LISTED = 20;

/** What was decided with the versions of a report, the newest first. */
export async function listDecisions(
  db: Database | DatabaseTransaction,
  examinationId: string,
): Promise<MadeDecision[]> {
  const rows = await db
    .selectFrom('critical_decisions as d')
    .innerJoin('users as u', 'u.id', 'd.decided_by')
    .select(['d.report_version', 'd.decided_by', 'd.decided_at', 'd.reason', 'u.name'])
    .where('d.examination_id', '=', examinationId)
    .orderBy('d.report_version', 'desc')
    .limit(LISTED)
    .execute();
  return rows.map(({ report_version, decided_by, decided_at, reason, name }) => ({
    ...{ report_version, by: { user_id: decided_by, name }, at: decided_at.toISOString(), reason },
  }));
}
