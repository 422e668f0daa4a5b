import type { FastifyRequest } from 'fastify';
import { type AuditFeature, auditFeature } from '#/features/audit/index.ts';
import {
  authFeature,
  createIdentify,
  describeUser,
  OWN_DEVICE_S,
  type PasswordCost,
  SHARED_DEVICE_S,
  TOKEN_LIFETIME_S,
} from '#/features/auth/index.ts';
import { type CensusFeature, censusFeature } from '#/features/census/index.ts';
import { chatFeature, type RoleClock, unitOfBed } from '#/features/chat/index.ts';
import { contactFeature } from '#/features/contact/index.ts';
import {
  citeFindings,
  examinationsFeature,
  listExaminationSuggestions,
  listSignedReports,
} from '#/features/examinations/index.ts';
import { facilitiesFeature } from '#/features/facilities/index.ts';
import { handoversFeature } from '#/features/handovers/index.ts';
import { iconsFeature } from '#/features/icons/index.ts';
import { invitationsFeature } from '#/features/invitations/index.ts';
import { mediaFeature } from '#/features/media/index.ts';
import { notificationsFeature, notifyPeople } from '#/features/notifications/index.ts';
import { onCallFeature } from '#/features/on-call/index.ts';
import { ownDataFeature } from '#/features/own-data/index.ts';
import { scimFeature } from '#/features/scim/index.ts';
import { type Installation, systemFeature } from '#/features/system/index.ts';
import { deriveKey } from '#/platform/config/derive-key.ts';
import type { Config } from '#/platform/config/read-config.ts';
import { createEscalationClock, type EscalationClock } from '#/platform/escalation/escalation-clock.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { requireFiles } from '#/platform/http/authorization/token-abilities.ts';
import { resolveActor } from '#/platform/http/binding/bind-routes.ts';
import type { Site } from '#/platform/http/edge/static-files.ts';
import type { OutboundWorld } from '#/platform/http/outbound.ts';
import { createImageWorkers } from '#/platform/images/image-workers.ts';
import type { MailDeps } from '#/platform/mail/open-mailer.ts';
import type { MalwareScanner } from '#/platform/malware/clamd.ts';
import { createPushSender } from '#/platform/push/push-sender.ts';
import type { Vapid } from '#/platform/push/vapid.ts';
import type { Plugin } from './plugin.ts';
import type { Readiness } from './readiness.ts';
import type { Services } from './services.ts';

interface FeatureDeps extends Pick<MailDeps, 'mailer' | 'keepsMails' | 'operatorEmail'> {
  readonly installation: Installation;
  readonly readiness: () => Promise<Readiness>;
  readonly settings: Pick<
    Config,
    | 'productName'
    | 'signUp'
    | 'oidc'
    | 'mediaHost'
    | 'iconService'
    | 'clientOrigins'
    | 'attachments'
    | 'auditYears'
    | 'backupDays'
    | 'pushHosts'
    | 'host'
    | 'publicUrl'
    | 'securityContact'
  >;
  readonly vapid: Vapid;
  /** Where push services are, for tests. */
  readonly pushWorld?: OutboundWorld;
  readonly appKey: string;
  readonly files: FileStore;
  readonly scanner: MalwareScanner | null;
  /** The built client, whose pictures the image proxy gives too; null serves the API alone. */
  readonly site: Site | null;
  readonly passwordCost?: PasswordCost;
  /** The installation has its first administrator. Says where they go on, if not at the address they are at. */
  readonly onSetUp?: () => string | null;
}

interface Features {
  readonly plugins: readonly Plugin[];
  /** Its clock is started, and its patient system heard, by who starts the server. */
  readonly census: CensusFeature;
  /** Chains the entries of the audit; started with the jobs. */
  readonly auditClock: AuditFeature['clock'];
  /** Calls on where nobody has accepted what is urgent; started with the jobs. */
  readonly escalations: EscalationClock;
  /** Lets in and out of chats who holds their roles; started with the jobs. */
  readonly roleClock: RoleClock;
}

/** Every feature of the product, each after those that it is given. */
export function createFeatures(parts: FeatureDeps, services: Services): Features {
  const { mailer, operatorEmail, files, passwordCost, settings, site } = parts;
  const { productName, signUp, mediaHost, iconService, clientOrigins } = settings;
  const { binding, channelRules, createCounter, identify, publicUrl, realtime, rightsChanged, shareNumbers } = services;
  const { db, log, publish } = binding;
  const appKey = Buffer.from(parts.appKey);

  const invitations = invitationsFeature({ db, createCounter, rightsChanged, mailer, publicUrl, productName });
  const { inviteAdministrator } = invitations;
  const facilities = facilitiesFeature({ rightsChanged, providers: settings.oidc, inviteAdministrator });
  const onCall = onCallFeature({ db, mailer, productName, publicUrl });
  const auth = authFeature({
    ending: {
      findSoleFacilities: facilities.findSoleFacilities,
      async leave(tx, userId) {
        await onCall.tellPlanners(tx, userId);
        return facilities.leave(tx, userId);
      },
    },
    ...{ facilities, onSetUp: parts.onSetUp ?? (() => null) },
    ...{
      db,
      createCounter,
      shareNumbers,
      identify,
      appKey,
      realtime,
      channelRules,
      invitations,
      mailer,
      publicUrl,
      productName,
      signUp,
    },
    oidc: settings.oidc,
    ...(passwordCost && { passwordCost }),
  });
  const scim = scimFeature({
    ...{ db, log, publish, mailer, productName, publicUrl, rightsChanged, createCounter, limits: binding.limits },
    ...{ accounts: auth.accounts, directory: facilities.directory },
  });
  const images = createImageWorkers({ log });
  /** Who asks for a picture or a file, which are no operations of the contract. */
  const seen = {
    resolveActor: (request: FastifyRequest) => resolveActor(request, binding),
    resolveKey: async (key: string) => requireFiles(await identify.byKey(key)),
    resourcePolicy: clientOrigins.length === 0 ? ('same-origin' as const) : ('same-site' as const),
  };
  const allowed = settings.attachments;
  const chat = chatFeature({
    ...{ db, log, rightsChanged, files, images, appKey, allowed, ...seen, noteReads: binding.noteReads },
    ...{ publish, createCounter, scanner: parts.scanner, cite: citeFindings, signedReports: listSignedReports },
    ring: (tx, called) => notifyPeople(tx, { ...called, priority: 'urgent' }),
  });
  const examinations = examinationsFeature({
    ...{ db, chats: chat.access, critical: chat.critical, discussions: chat, calls: chat.calls },
  });
  const handovers = handoversFeature({
    ...{ chats: chat.access, handovers: chat.handovers, examinationSuggestions: listExaminationSuggestions, unitOfBed },
  });
  const { pushHosts } = settings;
  const { vapid, pushWorld } = parts;
  // A session that is told of something is not used by that, and what it may see is read when it is sent.
  const identifyNow = createIdentify(db, { log, cacheMs: 0, notesUse: false });
  const notifications = notificationsFeature({
    ...{ db, mailer, publicUrl, productName, mayRead: chat.mayRead, noteReached: chat.noteReached },
    actorOf: identifyNow.byKey,
    sender: pushHosts && createPushSender({ vapid, hosts: pushHosts, ...(pushWorld && { world: pushWorld }) }),
  });
  const feedSecret = deriveKey(appKey, 'census feed');
  const census = censusFeature({
    ...{ db, log, discussions: chat, feedSecret, publish, mailer, publicUrl, productName },
    receiveResults: examinations.receiveResults,
  });
  const audit = auditFeature({
    ...{ db, log, appKey, mailer, operatorEmail, productName },
    keptYears: settings.auditYears,
  });
  const contact = contactFeature({ mailer, operatorEmail, productName, createCounter });
  const system = systemFeature({
    ...{ db, publicUrl, operatorEmail },
    ...{ mailer, keepsMails: parts.keepsMails, productName, settings, readAudit: audit.readState },
    ...{ installation: parts.installation, readiness: parts.readiness, hasUnknownProxy: services.hasUnknownProxy },
    ...{ createCounter, countWrongBadges: chat.countWrongBadges, countDamagedFiles: chat.countDamagedFiles },
  });
  const media = mediaFeature({
    ...{ db, createCounter, files, images, appKey, mediaHost, describeUser, ...seen },
    siteFile: (path) => site?.get(path)?.body ?? null,
    identityChanged: (userId) => identify.forget({ userId }),
  });
  const icons = iconsFeature({ createCounter, iconService });

  const escalations = createEscalationClock({ db, log, publish, steps: { message: chat.takeUrgentStep } });
  const clocks: Plugin[] = [{ stop: census.clock.stop }, { stop: escalations.stop }, { stop: chat.roleClock.stop }];
  const speaking: Plugin[] = [auth, facilities, onCall, notifications, chat, examinations, census, audit];
  const ownData = ownDataFeature({
    ...{ db, files, mailer, productName, publicUrl },
    keptFor: {
      auditYears: settings.auditYears,
      ...{ sharedDeviceS: SHARED_DEVICE_S, ownDeviceS: OWN_DEVICE_S, tokenS: TOKEN_LIFETIME_S },
    },
    lists: speaking.flatMap((plugin) => plugin.ownData ?? []),
  });
  const plugins = [
    ...speaking,
    scim,
    invitations,
    ownData,
    handovers,
    ...clocks,
    contact,
    system,
    media,
    icons,
    { close: images.close },
  ];
  return { plugins, census, escalations, roleClock: chat.roleClock, auditClock: audit.clock };
}
