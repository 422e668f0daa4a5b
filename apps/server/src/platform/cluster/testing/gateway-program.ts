import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openCluster } from '#/platform/cluster/open-cluster.ts';
import { shareGateway } from '#/platform/cluster/shared-gateway.ts';
import { createLog } from '#/platform/log.ts';
import { createGateway } from '#/platform/realtime/connections/gateway.ts';

/**
 * A program for tests that kill it: the sockets of one server among several, where everybody who is bound by another one may join.
 * Given the address of the Redis, the key and the secret; writes the port that it listens on.
 */
const [url = '', key = '', realtimeSecret = ''] = process.argv.slice(2);
const { bus } = openCluster(url, { realtimeSecret, log: createLog('silent') });
const gateway = createGateway({
  ...{ key, secret: realtimeSecret, isAllowedOrigin: () => true, authorize: async () => true },
  liveSessions: async (keys) => new Set(keys),
});
shareGateway(gateway, bus, () => undefined);
const server = createServer((_request, response) => response.end());
gateway.attach(server);
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
