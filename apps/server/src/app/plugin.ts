import type { FastifyInstance } from 'fastify';
import type { Route } from '#/platform/http/route.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { OwnDataList } from '#/platform/own-data.ts';
import type { ChannelRule, LiveRule } from '#/platform/realtime/channels/channel-rule.ts';

/** What a feature brings to the server; each brings what it has. */
export interface Plugin {
  /** Endpoints of the contract with their verbs. */
  readonly routes?: readonly Route[];
  readonly channels?: readonly ChannelRule[];
  /** What may be live in a chat, and by whom. */
  readonly live?: readonly LiveRule[];
  readonly jobHandlers?: Readonly<Record<string, JobHandler>>;
  /** What a copy of a person's own data holds of its things. */
  readonly ownData?: readonly OwnDataList[];
  /** Serves what is no operation of the contract, such as pictures. */
  serve?(app: FastifyInstance): void;
  /** Removes what nobody needs any more; called now and then. */
  purge?(): Promise<void>;
  /** Begins nothing more by the clock and waits for what is under way. */
  stop?(): Promise<void>;
  /** Ends what the feature holds open, after the last request. */
  close?(): void;
}
