// The inpatient census: what units report, what a facility compiles, signs and locks, and the log of all of it.

import type { Route } from '#/platform/http/route.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { OwnDataList } from '#/platform/own-data.ts';
import type { ChannelRule } from '#/platform/realtime/channels/channel-rule.ts';
import { alertRoutes } from './alerts/routes.ts';
import { boardRoutes } from './board/routes.ts';
import { type CensusClock, createClock } from './clock/clock.ts';
import { channels } from './core/change-events.ts';
import type { CensusDeps } from './core/deps.ts';
import { appendRefusal, REFUSAL_JOB } from './core/log-refusal.ts';
import { LOG_HEAD_MAIL, sendLogHeadMail } from './day/mail-log-head.ts';
import { dayRoutes } from './day/routes.ts';
import { feedSetupRoutes } from './feed-setup/routes.ts';
import { type MllpMessage, receiveByMllp, whyNoMllp } from './hl7/receive-hl7.ts';
import { hl7Routes } from './hl7/routes.ts';
import { createFileReader } from './import-export/file-reader.ts';
import { importExportRoutes } from './import-export/routes.ts';
import { logRoutes } from './log/routes.ts';
import { nursingRoutes } from './nursing/routes.ts';
import { ownData } from './reports/own-data.ts';
import { reportRoutes } from './reports/routes.ts';
import { settingsRoutes } from './settings/routes.ts';

export interface CensusFeature {
  readonly routes: readonly Route[];
  readonly ownData: readonly OwnDataList[];
  readonly channels: readonly ChannelRule[];
  readonly jobHandlers: Readonly<Record<string, JobHandler>>;
  /** What is done by the clock; to be started when the server listens. */
  readonly clock: CensusClock;
  /** Takes an HL7 v2 message about the facility of this code; answers its acknowledgement once it is stored. */
  readonly receiveHl7: (message: MllpMessage) => Promise<string>;
  /** What keeps messages of the facility with this code from being taken; null where nothing does. */
  readonly whyNoHl7: (facilityCode: string) => Promise<string | null>;
  /** Ends the process that reads files. */
  close(): void;
}

export function censusFeature(deps: CensusDeps): CensusFeature {
  const files = createFileReader({ log: deps.log });
  return {
    routes: [
      ...reportRoutes(deps),
      ...dayRoutes(),
      ...alertRoutes(deps),
      ...boardRoutes(),
      ...nursingRoutes(),
      ...settingsRoutes(deps),
      ...logRoutes(),
      ...importExportRoutes(deps, files),
      ...hl7Routes(deps),
      ...feedSetupRoutes(deps),
    ],
    channels,
    ownData,
    jobHandlers: { [LOG_HEAD_MAIL]: sendLogHeadMail(deps), [REFUSAL_JOB]: appendRefusal },
    receiveHl7: receiveByMllp(deps),
    whyNoHl7: (facilityCode) => whyNoMllp(deps.db, facilityCode),
    clock: createClock(deps),
    close: files.close,
  };
}
