import { Card } from '@wardline/ui/card/card.tsx';
import { Logo } from '@wardline/ui/logo/logo.tsx';
import { SkeletonRows } from '@wardline/ui/skeleton/skeleton-rows.tsx';

const entries = ['search', 'dashboard', 'chats', 'census', 'settings'];

/**
 * What stands in shell.html until the app has come: the frame of the signed-in pages where somebody is known on this
 * device, else the mark alone. Drawn by the build (016) and never by the browser.
 */
export function BootFrame() {
  return (
    <div className="boot">
      <p className="sr" role="status">
        Loading
      </p>
      <div className="boot-mark" aria-hidden="true">
        <Logo />
      </div>
      <div className="app boot-frame" aria-hidden="true">
        <div className="rail">
          <div className="rail-in">
            <span className="brand">
              <Logo />
            </span>
            {entries.map((entry) => (
              <span className="skel boot-entry" key={entry} />
            ))}
          </div>
        </div>
        <div className="main">
          <div className="topbar">
            <span className="skel boot-title" />
          </div>
          <div className="content">
            <Card>
              <SkeletonRows count={6} label={null} />
            </Card>
          </div>
        </div>
        <div className="bottombar" />
      </div>
    </div>
  );
}
