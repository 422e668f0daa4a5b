import { useObservable } from '@wardline/client/use-observable.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { pageInstall } from '#/shared/contexts/page-install.ts';

/** Whether this is the installed app, and how it becomes one. */
export function InstalledApp() {
  const install = useObservable(pageInstall);
  return (
    <Card hasPadding className="stack">
      {install ? <State install={install} /> : <p>This browser has not said yet whether it can install the app.</p>}
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
  if (!isOffered) return <p>Install it from the menu of your browser, where the browser offers that.</p>;
  return (
    <>
      <p>It opens from the home screen, in a window of its own, and works offline as this page does.</p>
      <p>
        <Button onClick={() => void install.install()}>Install</Button>
      </p>
    </>
  );
}
