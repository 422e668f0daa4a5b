import { CircleCheck, Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button, type ButtonColor } from '#/button/button.tsx';
import { BottomBar } from '#/frame/bottom-bar.tsx';
import { Select } from '#/input/select.tsx';
import type { ToastPosition, ToastView } from '#/toast/toast-view.ts';
import { Toaster } from '#/toast/toaster.tsx';
import { every, type Specimen } from '../specimen.ts';

const POSITIONS = every<ToastPosition>({
  'bottom-right': true,
  'bottom-center': true,
  'bottom-left': true,
  'top-right': true,
  'top-center': true,
  'top-left': true,
}).map((value) => ({ value, label: value }));
const COLOURS = every<ButtonColor>({
  primary: true,
  secondary: true,
  success: true,
  info: true,
  warning: true,
  error: true,
  neutral: true,
});

const base = { open: true, duration: 5000, isPaused: true };
const nothing = () => undefined;
const left = (ms: number) => () => ms;
const FIRST: readonly ToastView[] = [
  {
    ...base,
    id: 'person',
    title: 'Leila Haddad',
    description: 'Two beds free on SUR 2B.',
    avatar: { alt: 'Leila Haddad' },
    type: 'background',
    remainingMs: left(1200),
  },
  {
    ...base,
    id: 'conflict',
    title: 'Not saved: PED changed meanwhile',
    description: 'Yours is kept. Compare before saving.',
    icon: TriangleAlert,
    color: 'error',
    remainingMs: left(4400),
    actions: [
      { label: 'Compare', altText: 'Compare in the form', onClick: nothing },
      { label: 'Discard mine', altText: 'Discard in the form', onClick: nothing, variant: 'ghost', color: 'neutral' },
    ],
  },
  {
    ...base,
    id: 'done',
    title: 'MED 3A, Thu 19 Nov submitted',
    description: 'On time, closing 22, counted 22.',
    icon: CircleCheck,
    color: 'success',
    remainingMs: left(3100),
  },
];

function Stack() {
  const [position, setPosition] = useState<ToastPosition>('bottom-right');
  const [toasts, setToasts] = useState(FIRST);
  const close = (id: string) => {
    setToasts((now) => now.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)));
    setTimeout(() => setToasts((now) => now.filter((toast) => toast.id !== id)), 200);
  };
  return (
    <main className="g-box">
      <h1 className="sr">Toasts</h1>
      <div className="g-limit stack stack-3">
        <Select label="Position" options={POSITIONS} value={position} onValueChange={setPosition} />
        <Button variant="outline" color="neutral" onClick={() => setToasts(FIRST)}>
          Show them again
        </Button>
      </div>
      <Toaster toasts={toasts} position={position} onClose={close} onPause={nothing} onResume={nothing} />
      <BottomBar label="Pages" items={[{ href: '#toasts', label: 'The bottom bar', icon: Info }]} />
    </main>
  );
}

function Colours() {
  const toasts = COLOURS.map(
    (color): ToastView => ({
      ...base,
      id: color,
      title: color,
      description: 'With its action beside the words.',
      icon: color === 'error' ? OctagonAlert : Info,
      color,
      orientation: 'horizontal',
      actions: [{ label: 'Undo', altText: 'Undo in the menu', onClick: nothing }],
      close: color === 'neutral' ? false : 'Close',
      remainingMs: left(2500),
    }),
  );
  return (
    <main className="g-box">
      <h1 className="sr">Toasts in every colour</h1>
      <Toaster toasts={toasts} onClose={nothing} onPause={nothing} onResume={nothing} />
    </main>
  );
}

export const specimen: Specimen = {
  id: 'toasts',
  title: 'Toasts',
  group: 'Feedback',
  cases: [
    { name: 'A stack, its place, and the bottom bar it stays clear of', Show: Stack, height: 460 },
    { name: 'Every colour, action beside the words', Show: Colours, height: 680 },
  ],
};
