import { about } from './about.ts';
import { landing } from './landing.ts';
import type { ContactsContent, PublicContent } from './page-content.ts';

export const contacts: ContactsContent = {
  title: 'Contacts',
  lead: 'Your message goes to the people who run this server.',
  hints: [
    {
      title: 'You cannot sign in',
      text: 'Try setting a new password first. If your facility has not invited you yet, say where you work.',
    },
    {
      title: 'Something does not work',
      text: 'Say what you did, what you expected, what happened, and on which device.',
    },
    {
      title: 'No patient data, please',
      text: 'This form is read outside your chats. Leave out names, record numbers and anything else about a patient.',
    },
  ],
};

export const publicContent: PublicContent = { '/': landing, '/about': about, '/contacts': contacts };
