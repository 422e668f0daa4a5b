import { useState } from 'react';
import { Button, type ButtonColor } from '#/button/button.tsx';
import { LoadingBar } from '#/progress/loading-bar.tsx';
import { Progress, type ProgressSize } from '#/progress/progress.tsx';
import type { ProgressState } from '#/progress/progress-value.ts';
import { Skeleton } from '#/skeleton/skeleton.tsx';
import { Spinner } from '#/spinner/spinner.tsx';
import { every, type Specimen } from '../specimen.ts';

const SIZES = every<ProgressSize>({ '2xs': true, xs: true, sm: true, md: true, lg: true, xl: true, '2xl': true });
const COLOURS = every<ButtonColor>({
  primary: true,
  secondary: true,
  success: true,
  info: true,
  warning: true,
  error: true,
  neutral: true,
});
const STATES = every<ProgressState>({ indeterminate: true, loading: true, complete: true });

function Sizes() {
  return (
    <div className="g-wide stack stack-4">
      {SIZES.map((size) => (
        <Progress value={64} size={size} key={size} />
      ))}
    </div>
  );
}

function Colours() {
  return (
    <div className="g-wide stack stack-4">
      {COLOURS.map((color) => (
        <Progress value={40} color={color} label={color} hasStatus key={color} />
      ))}
    </div>
  );
}

function States() {
  const [value, setValue] = useState<number | null>(64);
  return (
    <div className="g-wide stack stack-4">
      <Progress value={value} label="Importing October, 248 rows" hasStatus onCancel={() => setValue(null)} />
      <Progress value={null} label="Waiting for the server" />
      <Progress value={0} label="Not begun" hasStatus />
      <Progress value={8} max={8} label="8 of 8 units" hasStatus color="success" />
    </div>
  );
}

function Bars() {
  const [state, setState] = useState<ProgressState>('loading');
  const [hasError, setHasError] = useState(false);
  const progress: Record<ProgressState, number> = { indeterminate: 0, loading: 60, complete: 100 };
  return (
    <main className="g-box">
      <h1 className="sr">Loading bar</h1>
      <LoadingBar progress={progress[state]} isVisible hasError={hasError} state={state} />
      <div className="row wrap">
        {STATES.map((name) => (
          <Button variant="outline" color="neutral" key={name} onClick={() => setState(name)}>
            {name}
          </Button>
        ))}
        <Button variant="outline" color="neutral" onClick={() => setHasError(!hasError)}>
          {hasError ? 'Without an error' : 'With an error'}
        </Button>
      </div>
    </main>
  );
}

function Skeletons() {
  return (
    <div className="g-grid">
      <div className="card">
        <Skeleton shape="rows" count={3} label="Loading chats" />
      </div>
      <div className="card">
        <Skeleton shape="messages" count={3} label="Loading messages" />
      </div>
      <div className="card card-pad">
        <Skeleton shape="text" label="Loading the report" />
      </div>
      <Skeleton shape="tiles" count={4} label="Loading the figures" />
      <Skeleton shape="cards" count={2} label="Loading the board" />
      <Skeleton shape="fields" count={3} label="Loading the settings" />
      <div className="card">
        <Skeleton shape="chart" label="Loading the trend" />
      </div>
    </div>
  );
}

function Spinners() {
  return (
    <div className="row row-4">
      <Spinner label="Loading" />
      <Spinner size="lg" label="Loading" />
    </div>
  );
}

export const specimen: Specimen = {
  id: 'progress',
  title: 'Progress and loading',
  group: 'Feedback',
  cases: [
    { name: 'Seven sizes', Show: Sizes },
    { name: 'Colours, with status', Show: Colours },
    { name: 'States', Show: States },
    { name: 'Loading bar of the page', Show: Bars, height: 120 },
    { name: 'Skeletons', Show: Skeletons },
    { name: 'Spinner', Show: Spinners },
  ],
};
