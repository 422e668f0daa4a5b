/** A link that somebody wrote: it opens beside the app and is told nothing of it. */
export function MessageLink({ href, text }: { readonly href: string; readonly text: string }) {
  const beside = href.startsWith('http') ? { target: '_blank', rel: 'noopener noreferrer nofollow' } : {};
  return (
    <a href={href} {...beside}>
      {text}
    </a>
  );
}
