import { isCalendarDate } from '@wardline/census/calendar.ts';
import { AUDIT_KINDS, type AuditKind } from '@wardline/contract/audit-actions.ts';
import type { AuditPath } from './audit-frame.tsx';

/** What the audit log is narrowed to; the address of the page carries it. */
export interface AuditView {
  readonly person: string | null;
  readonly kind: AuditKind | null;
  readonly isRefused: boolean;
  readonly from: string | null;
  readonly to: string | null;
  /** A chat: all chats about its patient, where it has one. */
  readonly chat: string | null;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads the address; what makes no sense in it is left out. */
export function readAuditView(search: URLSearchParams): AuditView {
  const id = (name: string) => search.get(name)?.match(ID)?.[0] ?? null;
  const date = (name: string) => search.get(name)?.match(/^.*$/)?.find(isCalendarDate) ?? null;
  return {
    person: id('person'),
    kind: AUDIT_KINDS.find((kind) => kind === search.get('kind')) ?? null,
    isRefused: search.get('outcome') === 'refused',
    from: date('from'),
    to: date('to'),
    chat: id('chat'),
  };
}

/** The query of the endpoint, and of the address. */
export function auditQuery(view: AuditView) {
  return {
    ...(view.person === null ? {} : { person: view.person }),
    ...(view.kind === null ? {} : { kind: view.kind }),
    ...(view.isRefused ? { outcome: 'refused' as const } : {}),
    ...(view.from === null ? {} : { from: view.from }),
    ...(view.to === null ? {} : { to: view.to }),
    ...(view.chat === null ? {} : { chat: view.chat }),
  };
}

const EVERYTHING: AuditView = { person: null, kind: null, isRefused: false, from: null, to: null, chat: null };

/** The address of a page, narrowed to this. */
export function auditHref(path: AuditPath, view: Partial<AuditView>): string {
  const search = new URLSearchParams(auditQuery({ ...EVERYTHING, ...view })).toString();
  return search === '' ? path : `${path}?${search}`;
}

export function isNarrowed(view: AuditView): boolean {
  return Object.keys(auditQuery(view)).length > 0;
}
