// Chats and their messages: who may read and write, the order of what was said, how far everyone has read, and what
// changed for a person since a cursor. Everything here is asked of the database at the moment it is answered.
import type { FastifyInstance } from 'fastify';
import type { Database } from '#/platform/db/database.ts';
import type { TakeStep } from '#/platform/escalation/escalation-clock.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { Publish } from '#/platform/http/publish.ts';
import { createCounter } from '#/platform/http/rate-limit.ts';
import type { Route } from '#/platform/http/route.ts';
import { createAddressSignatures } from '#/platform/http/signed-addresses.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { ChannelRule } from '#/platform/realtime/channels/channel-rule.ts';
import type { AttachmentDeps } from './attachments/attachment-store.ts';
import { attachmentJobs } from './attachments/remove-attachments.ts';
import { createLook, createScanJob, SCAN_JOB, type ScanDeps } from './attachments/scan-attachments.ts';
import { type ServeDeps, serveAttachments } from './attachments/serve-attachments.ts';
import { type ChatHandovers, chatHandovers } from './chats/hand-over-chat.ts';
import type { CitationDeps } from './citations/citation-deps.ts';
import { chatChannelRules } from './core/chat-events.ts';
import { mayRead } from './core/require-chat.ts';
import { type CriticalAlertsOfChats, criticalAlertsOfChats } from './critical/raise-alert.ts';
import { END_JOB, endEmergency } from './emergency/end-emergency.ts';
import { type ChatAccess, chatAccess } from './messages/chat-access.ts';
import { createMessageGroup } from './messages/message-group.ts';
import { type SayInDiscussion, sayInDiscussion } from './messages/say-in-discussion.ts';
import type { RemoveParticipantDeps } from './participants/remove-participant.ts';
import { chatRoutes } from './routes.ts';
import { createTakeUrgentStep } from './urgent/take-step.ts';
import type { RingDeps } from './urgent/who-to-call.ts';

export interface ChatFeature {
  readonly routes: readonly Route[];
  readonly channels: readonly ChannelRule[];
  readonly jobHandlers: Readonly<Record<string, JobHandler>>;
  /** Serves the files of messages. */
  serve(app: FastifyInstance): void;
  /** For other features: opens a discussion about something of theirs, or says a line in it. */
  readonly say: SayInDiscussion;
  /** For features whose things stand beside a chat. */
  readonly access: ChatAccess;
  /** For hand-overs: who takes over, what the chat says, and what becomes of it. */
  readonly handovers: ChatHandovers;
  /** For examinations: calls people about critical findings. */
  readonly critical: CriticalAlertsOfChats;
  /** What the clock does about urgent messages. */
  readonly takeUrgentStep: TakeStep;
  /** Whether somebody may read a chat, asked now. */
  readonly mayRead: (db: Database, actor: Actor, chatId: string) => Promise<boolean>;
}

interface ChatDeps
  extends RemoveParticipantDeps,
    RingDeps,
    CitationDeps,
    Omit<AttachmentDeps, 'uploads' | 'look'>,
    ScanDeps,
    Omit<ServeDeps, 'signatures'> {
  readonly appKey: Buffer;
  readonly publish: Publish;
}

const UPLOADS_PER_HOUR = { points: 60, duration: 3600 };
/** Looking and opening together: nobody treats more strangers at once, and nobody tries numbers. */
const EMERGENCY_LOOKS_PER_HOUR = { points: 30, duration: 3600 };

export function chatFeature(deps: ChatDeps): ChatFeature {
  const group = createMessageGroup(deps.db);
  const signatures = createAddressSignatures(deps.appKey, 'attachment address');
  const uploads = createCounter(UPLOADS_PER_HOUR);
  const looks = createCounter(EMERGENCY_LOOKS_PER_HOUR);
  return {
    routes: chatRoutes({ ...deps, group, signatures, uploads, looks, look: createLook(deps) }),
    channels: chatChannelRules,
    jobHandlers: { ...attachmentJobs(deps), [SCAN_JOB]: createScanJob(deps), [END_JOB]: endEmergency(deps) },
    serve: (app) => serveAttachments(app, { ...deps, signatures }),
    say: sayInDiscussion,
    access: chatAccess,
    handovers: chatHandovers,
    critical: criticalAlertsOfChats(deps),
    takeUrgentStep: createTakeUrgentStep(deps),
    mayRead,
  };
}
