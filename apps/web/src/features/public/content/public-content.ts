import { about } from './about.ts';
import { contacts } from './contacts.ts';
import { landing } from './landing.ts';
import type { PublicContent } from './page-content.ts';

export const publicContent: PublicContent = { '/': landing, '/about': about, '/contacts': contacts };
