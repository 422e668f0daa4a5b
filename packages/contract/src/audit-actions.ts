import { CENSUS_ACTIONS, type CensusAction } from './census-logs.ts';

/** What an entry of the audit is about, as somebody looks for it. */
export const AUDIT_KINDS = ['read', 'sign_in', 'access', 'export', 'deletion', 'chat', 'census', 'settings'] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** Every action that the audit tells of, by kind; a write names one of them. */
const ACTIONS = {
  read: [
    'chat.read',
    'chat.found',
    'chat.attachment.view',
    'chat.attachment.download',
    'audit.view',
    'audit.patient_search',
    'census.log.view',
    'examination.read',
    'examination.view',
  ],
  sign_in: [
    'session.start',
    'session.refused',
    'session.end',
    'session.end_others',
    'password.change',
    'password.forgot',
    'password.refused',
    'password.reset',
    'password.reset_link',
    'token.create',
    'email.change',
    'email.change_cancel',
    'email.link',
    'email.verify',
  ],
  access: [
    'account.create',
    'account.register',
    'authorisation.refused',
    'chat.participant.add',
    'chat.participant.remove',
    'installation.set_up',
    'invitation.accept',
    'invitation.create',
    'invitation.revoke',
    'member.give_role',
    'member.remove',
    'member.take_role',
    'registration.settle',
    'role.create',
    'role.update',
  ],
  export: ['audit.export', 'audit.head.mail', 'census.export', 'census.log.export', 'census.print'],
  deletion: [
    'audit.redact',
    'chat.attachment.discard',
    'chat.message.delete',
    'chat.template.delete',
    'on_call.role.retire',
  ],
  chat: [
    'chat.attachment.begin',
    'chat.attachment.receive',
    'chat.attachment.refuse',
    'chat.attachment.remove',
    'chat.attachment.scan',
    'chat.attachment.expire',
    'chat.attachment.upload',
    'chat.create',
    'chat.direct.send',
    'chat.markers.raise',
    'chat.message.edit',
    'chat.message.forward',
    'chat.message.pin',
    'chat.message.react',
    'chat.message.send',
    'chat.notifications.set',
    'chat.update',
    'escalation.step',
    'examination.acknowledge',
    'examination.create',
    'examination.move',
    'examination.update',
    'urgent.accept',
    'urgent.close',
    'urgent.withdraw',
  ],
  census: [
    'census.clock.alerts',
    'census.clock.check',
    'census.clock.days',
    'census.clock.remind',
    'census.feed',
    'census.feed.import',
    'census.feed.retry',
    'census.feed.start',
    'census.import',
    'census.refused',
    'census.unit_day.review',
  ],
  settings: [
    'account.rename',
    'audit.accept',
    'avatar.remove',
    'avatar.set',
    'chat.template.create',
    'chat.template.update',
    'contact.send',
    'facility.update',
    'member.set_phone',
    'notifications.chat',
    'notifications.digest',
    'notifications.push.end',
    'notifications.push.later',
    'notifications.push.subscribe',
    'notifications.push.test',
    'notifications.push.unsubscribe',
    'notifications.settings.update',
    'on_call.hand_over',
    'on_call.role.create',
    'on_call.role.update',
    'on_call.shift.delete',
    'on_call.shift.plan',
    'on_call.take_over',
    'urgent.ladder.set',
  ],
} as const satisfies Readonly<Record<AuditKind, readonly string[]>>;

export type AuditAction = (typeof ACTIONS)[AuditKind][number] | `census.${CensusAction}`;

const KINDS = new Map<string, AuditKind>([
  ...CENSUS_ACTIONS.map((action) => [`census.${action}`, 'census'] as const),
  ...AUDIT_KINDS.flatMap((kind) => ACTIONS[kind].map((action) => [action, kind] as const)),
]);

/** Null for an action that only an older build has written. */
export function auditKindOf(action: string): AuditKind | null {
  return KINDS.get(action) ?? null;
}

/** All actions of a kind. */
export function actionsOfKind(kind: AuditKind): string[] {
  return [...KINDS].filter(([, of]) => of === kind).map(([action]) => action);
}
