import type { AuditEntry, AuditedChat } from '@wardline/contract/audit.ts';
import type { AuditKind } from '@wardline/contract/audit-actions.ts';

export const KIND_LABELS: Readonly<Record<AuditKind, string>> = {
  read: 'Reading',
  sign_in: 'Sign-in and passwords',
  access: 'People and access',
  export: 'Exports',
  deletion: 'Deletions',
  chat: 'Chats and messages',
  census: 'Census',
  settings: 'Settings',
};

/** A patient with both identifiers, else the chat by its name. */
export function formatChat({ kind, title, patient }: AuditedChat): string {
  if (patient !== null) return `${patient.name}, ${patient.identifier}`;
  return title ?? (kind === 'direct' ? 'Direct chat' : 'Chat');
}

/** Who it was; what nobody signed in did was tried by a stranger, or done by the server. */
export function formatActor({ actor, kind }: Pick<AuditEntry, 'actor' | 'kind'>): string {
  if (actor !== null) return actor.name;
  return kind === 'sign_in' || kind === 'access' ? 'Someone not signed in' : 'Automatic';
}
