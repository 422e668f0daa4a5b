import { WebSocket } from 'ws';

/** What strangers got. */
export interface FloodReport {
  readonly opened: number;
  readonly sentAway: number;
  /** The most that were open at the same time. */
  readonly seatsHeld: number;
  readonly subscriptions: number;
}

const AT_ONCE = 6_000;
const CONNECTING = 200;
/** Every tenth socket subscribes: taking seats is quicker than joining channels. */
const SUBSCRIBES_EACH = 10;
const CHANNELS = 100;

const [port, ...addresses] = process.argv.slice(2);
const count = { opened: 0, sentAway: 0, seatsHeld: 0, subscriptions: 0 };
let held = 0;
let isStopped = false;

for (const address of addresses) void flood(address);
process.send?.('begun');
process.on('message', () => {
  isStopped = true;
  process.send?.({ ...count } satisfies FloodReport);
});

/** Keeps as many sockets as the server gives. */
async function flood(address: string): Promise<void> {
  let open = 0;
  let connecting = 0;
  while (!isStopped) {
    while (connecting < CONNECTING && open + connecting < AT_ONCE) {
      connecting++;
      connect(address, {
        onOpen() {
          connecting--;
          open++;
        },
        onClose(wasOpen) {
          if (wasOpen) open--;
          else connecting--;
        },
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

interface Heard {
  onOpen(): void;
  onClose(wasOpen: boolean): void;
}

function connect(localAddress: string, { onOpen, onClose }: Heard): void {
  const url = `ws://127.0.0.1:${port}/app/wardline?protocol=7`;
  const socket = new WebSocket(url, { perMessageDeflate: false, localAddress });
  let isOpen = false;
  socket.on('error', () => {});
  socket.on('message', (data) => {
    const text = String(data);
    if (text.includes('subscription_succeeded')) count.subscriptions++;
    if (isOpen || !text.includes('connection_established')) return;
    isOpen = true;
    count.opened++;
    held++;
    count.seatsHeld = Math.max(count.seatsHeld, held);
    onOpen();
    if (count.opened % SUBSCRIBES_EACH !== 0) return;
    for (let n = 0; n < CHANNELS; n++) {
      socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel: `flood-${count.opened}-${n}` } }));
    }
  });
  socket.on('close', () => {
    count.sentAway++;
    if (isOpen) held--;
    onClose(isOpen);
  });
}
