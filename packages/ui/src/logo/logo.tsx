import { classNames } from '#/class-names.ts';

export type LogoProps = {
  /** 'violet' (default) is the mark; 'mono' takes the colour of the text around it. */
  look?: 'violet' | 'mono' | undefined;
  className?: string | undefined;
};

/** The mark: one line that runs through the square and draws a W. The name stands beside it or is said by the link. */
export function Logo({ look = 'violet', className }: LogoProps) {
  return (
    <svg
      className={classNames('logo', look === 'mono' && 'logo-mono', className)}
      viewBox="0 0 64 64"
      aria-hidden="true"
    >
      <rect className="logo-tile" width="64" height="64" rx="15" />
      <path className="logo-line" d="M0 24H11L21.5 45 32 24 42.5 45 53 24H64" />
    </svg>
  );
}
