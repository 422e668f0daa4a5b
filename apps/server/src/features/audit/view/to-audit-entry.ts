import type { AuditEntry } from '@wardline/contract/audit.ts';
import { auditKindOf } from '@wardline/contract/audit-actions.ts';
import { wrongCursor } from '#/platform/http/cursor.ts';
import type { AuditRow } from './audit-queries.ts';
import { formatAction } from './format-action.ts';

export function toAuditEntry(row: AuditRow): AuditEntry {
  const { id, at, action, outcome, times, ip, endpoint } = row;
  return {
    ...{
      id,
      at: at.toISOString(),
      action,
      kind: auditKindOf(action),
      what: formatAction(action, endpoint),
      outcome,
      times,
      ip,
    },
    actor: toPerson(row.actor_id, row.actor_name),
    chat: toChat(row),
    person: row.person_id === row.actor_id ? null : toPerson(row.person_id, row.person_name),
  };
}

function toPerson(id: string | null, name: string | null) {
  return id === null ? null : { id, name: name ?? 'Someone whose account is gone' };
}

function toChat({ chat_id: id, chat_kind: kind, chat_title: title, patient_name: name, patient_identifier }: AuditRow) {
  if (id === null || kind === null) return null;
  const patient = name === null || patient_identifier === null ? null : { name, identifier: patient_identifier };
  return { id, kind, title, patient };
}

export const encodeAuditCursor = (id: number | null) => (id === null ? null : String(id));

export function decodeAuditCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  if (!/^[1-9]\d{0,14}$/.test(cursor)) throw wrongCursor();
  return Number(cursor);
}
