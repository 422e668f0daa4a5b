import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { SEARCH_PATH } from '#/features/chat/core/chat-paths.ts';
import { handSearch } from '#/features/chat/core/handed-search.ts';

/** From the names of chats on to what was said in them, with what was typed so far. */
export function SearchLink({ text }: { text: string }) {
  const typed = text.trim();
  return (
    <Button asChild variant="link" size="sm" className="search-link">
      <Link href={SEARCH_PATH} onClick={() => handSearch(typed)}>
        Search messages{typed && ` for “${typed}”`}
      </Link>
    </Button>
  );
}
