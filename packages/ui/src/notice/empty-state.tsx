import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '#/icon/icon.tsx';

export type EmptyStateProps = {
  icon?: LucideIcon | undefined;
  title: ReactNode;
  level?: 2 | 3 | undefined;
  /** What will show here and how to get it there. */
  children?: ReactNode;
  action?: ReactNode;
};

/** What stands where nothing is yet. */
export function EmptyState({ icon, title, level = 2, children, action }: EmptyStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div className="empty">
      {icon && <Icon of={icon} size="xl" />}
      <Heading>{title}</Heading>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}
