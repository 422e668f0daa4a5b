import { connect, type Socket } from 'node:net';
import type { ReceiverOrder } from './cases.ts';
import { Receiver } from './receiver.ts';

process.on('message', (order: ReceiverOrder) => {
  receive(order).then(
    () => process.send?.('done'),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());

async function receive(order: ReceiverOrder): Promise<void> {
  let delivered = 0;
  let acknowledged = 0;
  let control: Socket | null = null;
  let isScheduled = false;
  const acknowledge = () => {
    isScheduled = false;
    const complete = Math.floor(delivered / order.run.subscribers);
    if (complete > acknowledged && control?.writable) control.write(Buffer.alloc(complete - acknowledged));
    acknowledged = complete;
  };
  const onDelivered = (count: number) => {
    delivered += count;
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(acknowledge);
  };
  const receivers: Receiver[] = [];
  for (let n = 0; n < order.run.subscribers; n += 1) {
    receivers.push(new Receiver(order.port, order.kind, onDelivered));
    if (n % 100 === 99) await Promise.all(receivers.map(({ joined }) => joined));
  }
  await Promise.all(receivers.map(({ joined }) => joined));
  await new Promise<void>((resolve) => {
    control = connect(order.controlPort, '127.0.0.1', () => control?.write(JSON.stringify(order.run)));
    control.setNoDelay();
    control.on('end', resolve);
    control.resume();
  });
  for (const { socket } of receivers) socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 200));
}
