// Chats and their messages: who may read and write, the order of what was said, how far everyone has read, and what
// changed for a person since a cursor. Everything here is asked of the database at the moment it is answered.
import type { FastifyInstance } from 'fastify';
import { deriveKey } from '#/platform/config/derive-key.ts';
import { createSeal } from '#/platform/config/seal.ts';
import type { Database } from '#/platform/db/database.ts';
import type { TakeStep } from '#/platform/escalation/escalation-clock.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { Publish } from '#/platform/http/publish.ts';
import type { CreateCounter } from '#/platform/http/rate-limit.ts';
import type { Route } from '#/platform/http/route.ts';
import { createAddressSignatures } from '#/platform/http/signed-addresses.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { OwnDataList } from '#/platform/own-data.ts';
import type { ChannelRule } from '#/platform/realtime/channels/channel-rule.ts';
import type { AttachmentDeps } from './attachments/attachment-store.ts';
import { countDamagedFiles } from './attachments/damaged-files.ts';
import { attachmentJobs } from './attachments/remove-attachments.ts';
import { createLook, createScanJob, SCAN_JOB, type ScanDeps } from './attachments/scan-attachments.ts';
import { type ServeDeps, serveAttachments } from './attachments/serve-attachments.ts';
import { beginVerification, giveMended, VERIFY_JOB, verifyFiles } from './attachments/verify-files.ts';
import { type ChatHandovers, chatHandovers } from './chats/hand-over-chat.ts';
import type { CitationDeps } from './citations/citation-deps.ts';
import { chatChannelRules } from './core/chat-events.ts';
import { mayRead } from './core/require-chat.ts';
import { type CriticalAlertsOfChats, criticalAlertsOfChats } from './critical/raise-alert.ts';
import { purgeDrafts } from './drafts/draft-queries.ts';
import { END_JOB, endEmergency } from './emergency/end-emergency.ts';
import { purgeCallCounts } from './interruptions/count-calls.ts';
import { type ChatAccess, chatAccess } from './messages/chat-access.ts';
import { createMessageGroup } from './messages/message-group.ts';
import { ownData } from './messages/own-data.ts';
import { type SayInDiscussion, sayInDiscussion } from './messages/say-in-discussion.ts';
import type { RemoveParticipantDeps } from './participants/remove-participant.ts';
import type { ExportDeps } from './record-export/export-record.ts';
import { createRecordPdfPrinter } from './record-export/record-pdf.ts';
import { createFindPicture } from './record-export/record-pictures.ts';
import { createRecordSigner } from './record-export/record-signature.ts';
import { RETENTION_JOB, runRetention, startDueRetention } from './records/run-retention.ts';
import { beginRecount, countWrongBadges, RECOUNT_JOB, recountChats } from './recount/recount.ts';
import { createRoleClock, type RoleClock } from './roles/role-clock.ts';
import { chatRoutes } from './routes.ts';
import { callsInDiscussions, type DiscussionCalls } from './urgent/call-in-discussion.ts';
import { noteReached } from './urgent/note-reached.ts';
import { createTakeUrgentStep } from './urgent/take-step.ts';
import type { RingDeps } from './urgent/who-to-call.ts';

export interface ChatFeature {
  readonly routes: readonly Route[];
  readonly ownData: readonly OwnDataList[];
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
  /** For features whose things wait for a person: calls people in a discussion. */
  readonly calls: DiscussionCalls;
  /** For examinations: calls people about critical findings. */
  readonly critical: CriticalAlertsOfChats;
  /** Carries changes of shifts out in the chats that on-call roles are in. */
  readonly roleClock: RoleClock;
  /** What the clock does about urgent messages. */
  readonly takeUrgentStep: TakeStep;
  /** Whether somebody may read a chat, asked now. */
  readonly mayRead: (db: Database, actor: Actor, chatId: string) => Promise<boolean>;
  /** For notifications: the urgent messages that somebody is called for are on a device of theirs. */
  readonly noteReached: typeof noteReached;
  /** Removes what is old, and begins what nights do: the recount, what facilities keep no longer, the reading of stored files. */
  purge(): Promise<void>;
  /** How many badges last night's recount found wrong, for who looks after the installation. */
  countWrongBadges(): Promise<number>;
  /** How many attachments are given to nobody, since their files are not as they were stored. */
  countDamagedFiles(): Promise<number>;
}

/** For the operator's command. */
export { attachmentFile } from './attachments/attachment-store.ts';
/** For hand-overs: where a patient lies. */
export { unitOfBed } from './critical/unit-of-bed.ts';
export { verifyRecord } from './record-export/verify-record.ts';
export type { RoleClock } from './roles/role-clock.ts';

interface ChatDeps
  extends RemoveParticipantDeps,
    RingDeps,
    CitationDeps,
    Omit<AttachmentDeps, 'uploads' | 'look'>,
    ScanDeps,
    Pick<ExportDeps, 'signedReports'>,
    Omit<ServeDeps, 'signatures'> {
  readonly appKey: Buffer;
  readonly publish: Publish;
  readonly createCounter: CreateCounter;
}

const UPLOADS_PER_HOUR = { points: 60, duration: 3600 };
const EXPORTS_PER_HOUR = { points: 20, duration: 3600 };
/** Looking and opening together: nobody treats more strangers at once, and nobody tries numbers. */
const EMERGENCY_LOOKS_PER_HOUR = { points: 30, duration: 3600 };

export function chatFeature(deps: ChatDeps): ChatFeature {
  const group = createMessageGroup(deps.db);
  const signatures = createAddressSignatures(deps.appKey, 'attachment address');
  const { createCounter } = deps;
  const uploads = createCounter('uploads', UPLOADS_PER_HOUR);
  const looks = createCounter('emergency looks', EMERGENCY_LOOKS_PER_HOUR);
  const exports = createCounter('exports', EXPORTS_PER_HOUR);
  const signer = createRecordSigner(deps.appKey);
  const printer = createRecordPdfPrinter({ findPicture: createFindPicture(deps) });
  const draftSeal = createSeal(deriveKey(deps.appKey, 'draft'));
  const look = createLook(deps);
  const roleClock = createRoleClock(deps);
  return {
    routes: chatRoutes({
      ...deps,
      group,
      signatures,
      uploads,
      looks,
      exports,
      signer,
      printer,
      draftSeal,
      look,
      roleClock,
    }),
    channels: chatChannelRules,
    ownData,
    jobHandlers: {
      ...attachmentJobs(deps),
      [SCAN_JOB]: createScanJob(deps),
      [END_JOB]: endEmergency(deps),
      [RECOUNT_JOB]: recountChats(deps),
      [VERIFY_JOB]: verifyFiles(deps),
      [RETENTION_JOB]: runRetention(deps),
    },
    serve: (app) => serveAttachments(app, { ...deps, signatures }),
    say: sayInDiscussion,
    access: chatAccess,
    handovers: chatHandovers,
    calls: callsInDiscussions(deps),
    critical: criticalAlertsOfChats(deps),
    roleClock,
    takeUrgentStep: createTakeUrgentStep(deps),
    mayRead,
    noteReached,
    async purge() {
      await purgeDrafts(deps.db);
      await purgeCallCounts(deps.db);
      await beginRecount(deps);
      await startDueRetention(deps);
      await beginVerification(deps);
      await giveMended(deps);
    },
    countWrongBadges: () => countWrongBadges(deps.db),
    countDamagedFiles: () => countDamagedFiles(deps.db),
  };
}
