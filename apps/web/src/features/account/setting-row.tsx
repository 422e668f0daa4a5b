import { Avatar } from '@wardline/ui/avatar/avatar.tsx';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface SettingRowProps {
  readonly icon: LucideIcon;
  readonly title: ReactNode;
  /** Beside the title: a badge. */
  readonly mark?: ReactNode;
  readonly text?: ReactNode;
  /** At the right end: buttons, or a badge. */
  readonly children?: ReactNode;
}

/** A line of a list of settings: what it is, how it stands, what can be done about it. */
export function SettingRow({ icon, title, mark, text, children }: SettingRowProps) {
  return (
    <li className="lrow set-row">
      <Avatar alt="" icon={icon} size={40} />
      <div className="lrow-body">
        <p className="row wrap">
          <span className="medium strong breaks">{title}</span>
          {mark}
        </p>
        {text !== undefined && <div className="t13 muted breaks">{text}</div>}
      </div>
      {children !== undefined && <div className="lrow-end">{children}</div>}
    </li>
  );
}
