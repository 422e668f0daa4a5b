import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '#/platform/log.ts';
import type { AskedChannels, ChannelState, Relayed } from '#/platform/realtime/connections/gateway.ts';
import { parseChannelName } from '#/platform/realtime/protocol/channel-name.ts';
import type { AppKey } from '#/platform/realtime/protocol/signature.ts';
import { TokenBuckets } from '#/platform/token-buckets.ts';
import { HttpApiError } from './http-api-error.ts';
import { type Info, readBatch, readInfo, readTrigger, type Trigger } from './read-events.ts';
import { type SignedRequest, verifyBody, verifyRequest } from './signed-request.ts';

/** An application that speaks the Pusher HTTP API. */
export interface PusherApp extends AppKey {
  readonly id: string;
}

/** What the API does, on all servers. */
export interface AppSockets {
  relay(event: Relayed): void;
  look(asked: AskedChannels): Promise<readonly ChannelState[]>;
  /** Closes the sockets that signed in as this user. */
  terminate(userId: string): void;
}

interface HttpApi {
  readonly app: PusherApp;
  readonly sockets: AppSockets;
  readonly log: Log;
  /** Told after the sockets of a user were closed, before it is answered. */
  readonly noteTerminated: (about: { readonly userId: string; readonly request: FastifyRequest }) => Promise<void>;
  readonly limits?: Partial<typeof defaultHttpApiLimits>;
}

const defaultHttpApiLimits = {
  dataBytes: 10_240,
  channels: 100,
  batch: 10,
  /** Ten events of 10 kB, each of whose bytes may be written as two, with their names. */
  bodyBytes: 256 * 1024,
  /** Of each server process. */
  triggers: { burst: 2_000, perMinute: 60_000 },
  /** Questions, and ends of connections, each of which is asked of or told to every server. */
  questions: { burst: 50, perMinute: 600 },
};

const JSON_TYPE = 'application/json';
const LONGEST_USER_ID = 200;

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the Pusher HTTP API: its query, once the signature over it was found right. */
    signed?: SignedRequest;
  }
}

/** Serves the Pusher HTTP API of one application: its libraries know these addresses, statuses and answers. */
export function serveHttpApi(server: FastifyInstance, api: HttpApi): void {
  const { app, sockets, log } = api;
  const limits = { ...defaultHttpApiLimits, ...api.limits };
  const buckets = new TokenBuckets(() => performance.now());

  function take(kind: 'triggers' | 'questions'): void {
    const waitMs = buckets.take(kind, limits[kind]);
    if (waitMs > 0) throw new HttpApiError(403, 'Too many requests.', Math.ceil(waitMs / 1_000));
  }

  async function countsOf(triggers: readonly Trigger[]): Promise<ReadonlyMap<string, ChannelState>> {
    const asked = triggers.filter(({ info }) => info.length > 0).flatMap(({ channels }) => channels);
    if (asked.length === 0) return new Map();
    const states = await sockets.look({ names: asked.map(({ name }) => name) });
    return new Map(states.map((state) => [state.name, state]));
  }

  function tell({ channels, event, text, except }: Trigger): void {
    sockets.relay({ channels, event, text, except });
  }

  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: limits.bodyBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.decorateRequest('signed');
    // Before the body: of a stranger's nothing is read.
    scope.addHook('onRequest', async (request) => {
      const signed = verifyRequest(app, request.method, request.url, Date.now());
      if ((request.params as Params).app !== app.id)
        throw new HttpApiError(401, 'There is no application with this id.');
      request.signed = signed;
    });
    scope.setErrorHandler((error, request, reply) => {
      const said = toHttpApiError(error);
      if (said === null) log.error({ err: error, request: request.id }, 'the Pusher HTTP API failed');
      if (said?.retryAfterS !== undefined) reply.header('retry-after', String(said.retryAfterS));
      return reply
        .code(said?.status ?? 500)
        .type('text/plain; charset=utf-8')
        .send(said?.message ?? 'The server could not answer.');
    });

    scope.post('/apps/:app/events', async (request, reply) => {
      take('triggers');
      const trigger = readTrigger(bodyOf(request), limits);
      tell(trigger);
      reply.type(JSON_TYPE);
      if (trigger.info.length === 0) return '{}';
      const counts = await countsOf([trigger]);
      return {
        channels: Object.fromEntries(
          trigger.channels.map(({ name }) => [name, attributes(name, counts.get(name), trigger.info)]),
        ),
      };
    });

    scope.post('/apps/:app/batch_events', async (request, reply) => {
      take('triggers');
      const batch = readBatch(bodyOf(request), limits);
      for (const trigger of batch) tell(trigger);
      reply.type(JSON_TYPE);
      if (batch.every(({ info }) => info.length === 0)) return '{}';
      const counts = await countsOf(batch);
      return {
        batch: batch.map(({ channels: [channel], info }) =>
          channel ? attributes(channel.name, counts.get(channel.name), info) : {},
        ),
      };
    });

    scope.get('/apps/:app/channels', async (request) => {
      take('questions');
      const query = queryOf(request);
      const prefix = query.get('filter_by_prefix') ?? '';
      const info = readInfo(query.get('info'));
      if (info.includes('user_count') && !prefix.startsWith('presence-')) throw noUsers();
      const states = await sockets.look({ prefix });
      return { channels: Object.fromEntries(states.map((state) => [state.name, attributes(state.name, state, info)])) };
    });

    scope.get('/apps/:app/channels/:channel', async (request) => {
      take('questions');
      const { name, kind } = channelOf(request);
      const info = readInfo(queryOf(request).get('info'));
      if (info.includes('user_count') && kind !== 'presence') throw noUsers();
      const [state] = await sockets.look({ names: [name] });
      return { occupied: state !== undefined, ...attributes(name, state, info) };
    });

    scope.get('/apps/:app/channels/:channel/users', async (request) => {
      take('questions');
      const { name, kind } = channelOf(request);
      if (kind !== 'presence') throw noUsers();
      const [state] = await sockets.look({ names: [name] });
      return { users: (state?.members ?? []).map(({ id }) => ({ id })) };
    });

    scope.post('/apps/:app/users/:user/terminate_connections', async (request, reply) => {
      take('questions');
      bodyOf(request);
      const { user: userId = '' } = request.params as Params;
      if (userId === '' || userId.length > LONGEST_USER_ID)
        throw new HttpApiError(400, 'This is not the id of a user.');
      sockets.terminate(userId);
      await api.noteTerminated({ userId, request });
      reply.type(JSON_TYPE);
      return '{}';
    });
  });
}

type Params = { readonly app: string; readonly channel?: string; readonly user?: string };

function queryOf({ signed }: FastifyRequest): SignedRequest['query'] {
  return signed?.query ?? new Map();
}

/** The body that was signed. */
function bodyOf({ signed, body }: FastifyRequest): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (signed === undefined) throw new HttpApiError(401, 'The request is not signed.');
  verifyBody(signed, bytes);
  return bytes;
}

function channelOf(request: FastifyRequest) {
  const channel = parseChannelName((request.params as Params).channel);
  if (channel === null) throw new HttpApiError(400, 'The name of the channel is not valid.');
  return channel;
}

function noUsers(): HttpApiError {
  return new HttpApiError(400, 'Only presence channels know their users.');
}

/** A channel that has no users tells of none, in a list of channels of every kind. */
function attributes(name: string, state: ChannelState | undefined, info: readonly Info[]): Record<string, number> {
  const told: Record<string, number> = {};
  if (info.includes('user_count') && name.startsWith('presence-')) told['user_count'] = state?.members.length ?? 0;
  if (info.includes('subscription_count')) told['subscription_count'] = state?.sockets ?? 0;
  return told;
}

/** Null for what is the server's own fault. */
function toHttpApiError(error: unknown): HttpApiError | null {
  if (error instanceof HttpApiError) return error;
  const { statusCode } = error as { statusCode?: number };
  if (statusCode === 413) return new HttpApiError(413, 'The body is too large.');
  return statusCode !== undefined && statusCode < 500 ? new HttpApiError(400, 'The request cannot be read.') : null;
}
