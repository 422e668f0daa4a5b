import { Link } from '@wardline/ui/link/link.tsx';

/** A link that somebody wrote: one of this site opens here, any other beside the app, which is told nothing of it. */
export function MessageLink({ href, text }: { readonly href: string; readonly text: string }) {
  const { origin } = window.location;
  if (href.startsWith(`${origin}/`)) {
    return (
      <Link href={href.slice(origin.length)} className="m-link">
        {text}
      </Link>
    );
  }
  const beside = href.startsWith('http') ? { target: '_blank', rel: 'noopener noreferrer nofollow' } : {};
  return (
    <a href={href} className="m-link" {...beside}>
      {text}
    </a>
  );
}
