/**
 * RT-G7: signed HTTP triggers for each second of the server's processor time, in turns with servers that only read the body and answer `{}`.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/realtime/http-triggers.ts [--rounds 5] [--seconds 4]
 *
 * Each request is signed for itself, as the Pusher libraries do, and goes over one of 16 connections that are kept. Prints one JSON: medians.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { APP, type TriggerServer, triggerServers } from './trigger-cases.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '4' } },
});
const CONNECTIONS = 16;
/** So many requests are under way on a connection: the server is never waited for. */
const PIPELINED = 4;
/** Until the server's code is compiled. */
const WARM_UP = 20_000;
const GOAL = 12_000;
/** About the size of a short chat message. */
const BODY = JSON.stringify({
  name: 'App\\Events\\MessageSent',
  channels: ['private-kitchen'],
  data: JSON.stringify({
    id: '01890a5d-ac96-774b-bcce-b302099a8057',
    body: 'Bed 12 is ready; please bring the chart along.',
  }),
});
/** How an answer begins and ends. */
const [OK, END] = ['HTTP/1.1 200', '\r\n\r\n{}'];
const BODY_MD5 = createHash('md5').update(BODY).digest('hex');

const perSecond = new Map<TriggerServer, number[]>(triggerServers.map((kind) => [kind, []]));
for (let round = 0; round < Number(values.rounds); round++) {
  for (const kind of triggerServers) perSecond.get(kind)?.push(await measure(kind));
}
const median = (kind: TriggerServer) => {
  const figures = (perSecond.get(kind) ?? []).toSorted((a, b) => a - b);
  return Math.round(figures[figures.length >> 1] ?? 0);
};
const results = triggerServers.map((kind) => ({
  kind,
  perProcessorSecond: median(kind),
  all: perSecond.get(kind)?.map(Math.round),
  microsecondsEach: Math.round(1e7 / median(kind)) / 10,
}));
const setUp = { cpus: cpus().length, node: process.version, load: loadavg(), ...values };
console.log(JSON.stringify({ setUp, goal: GOAL, results }, null, 2));

/** Requests that a fresh server answered with 200 for each second of its processor time. */
async function measure(kind: TriggerServer): Promise<number> {
  const server = fork(fileURLToPath(new URL('./trigger-server.ts', import.meta.url)), [kind]);
  try {
    const port = await told(server);
    const count = { answered: 0 };
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => drive(port, count)));
    while (count.answered < WARM_UP) await sleep(20);
    const [answeredBefore, cpuBefore] = [count.answered, await cpuOf(server)];
    await sleep(Number(values.seconds) * 1_000);
    const [answered, cpuMs] = [count.answered - answeredBefore, (await cpuOf(server)) - cpuBefore];
    for (const socket of sockets) socket.destroy();
    return answered / (cpuMs / 1_000);
  } finally {
    server.disconnect();
    await once(server, 'exit');
  }
}

/** Keeps requests going over one connection. Anything but 200 ends the bench. */
async function drive(port: number, count: { answered: number }): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  await once(socket, 'connect');
  let rest = '';
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    rest += bytes.toString('latin1');
    for (let end = rest.indexOf(END); end >= 0; end = rest.indexOf(END)) {
      rest = rest.slice(end + END.length);
      count.answered += 1;
      socket.write(request());
    }
    if (rest.length >= OK.length && !rest.startsWith(OK)) throw new Error(`Not answered as it should be: ${rest}`);
  });
  for (let n = 0; n < PIPELINED; n++) socket.write(request());
  return socket;
}

function request(): string {
  const path = `/apps/${APP.id}/events`;
  const at = Math.floor(Date.now() / 1_000);
  const query = `auth_key=${APP.key}&auth_timestamp=${at}&auth_version=1.0&body_md5=${BODY_MD5}`;
  const signature = createHmac('sha256', APP.secret).update(`POST\n${path}\n${query}`).digest('hex');
  return (
    `POST ${path}?${query}&auth_signature=${signature} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
    `X-Pusher-Library: pusher-http-node 5.3.4\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`
  );
}

async function cpuOf(server: ChildProcess): Promise<number> {
  server.send('cpu');
  return told(server);
}

async function told(server: ChildProcess): Promise<number> {
  const [value] = await once(server, 'message');
  return Number(value);
}
