import { useObservable } from '@wardline/client/use-observable.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { pageInstall } from '#/page/page-install.ts';

/** Whether this is the installed app, and how it becomes one. */
export function InstalledApp() {
  const install = useObservable(pageInstall);
  return (
    <Card hasPadding className="stack">
      {install ? <State install={install} /> : <p>This browser can’t install the app yet.</p>}
    </Card>
  );
}

function State({ install }: { install: NonNullable<ReturnType<typeof pageInstall.get>> }) {
  const { isInstalled, isOffered, steps } = useObservable(install);
  if (isInstalled) return <p>You are using the installed app.</p>;
  if (steps.length > 0) {
    return (
      <ol className="offer-steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    );
  }
  if (!isOffered) return <p>Install it from your browser’s menu, if it offers that.</p>;
  return (
    <>
      <p>Opens from your home screen in its own window and works offline.</p>
      <p>
        <Button onClick={() => void install.install()}>Install</Button>
      </p>
    </>
  );
}
