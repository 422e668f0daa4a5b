import type { AboutContent } from './page-content.ts';

export const about: AboutContent = {
  title: 'About Wardline',
  lead: 'What it does, what it does not do, and what happens to what you write.',
  chapters: [
    {
      id: 'what-it-does',
      title: 'What it does',
      paragraphs: [
        'Wardline is a chat for people who look after patients. A chat belongs to one facility. A case chat is about one patient, who is named with two identifiers; a group chat is for a team.',
        'Messages stand in the same order for everyone. The page shows who is here, who is typing, and whether a message is sent, delivered or read.',
      ],
    },
    {
      id: 'what-it-does-not-do',
      title: 'What it does not do',
      paragraphs: [
        'It is not the patient’s record and does not replace it. It is not an alarm: in an emergency, call. It is not a certified medical device in any country. Your hospital decides whether it meets the rules that apply.',
      ],
    },
    {
      id: 'where-messages-are-kept',
      title: 'Where messages are kept',
      paragraphs: [
        'On the server of the hospital that runs this installation, in its own PostgreSQL database. A message counts as sent only once that database has written it to disk. The pages you see load nothing from other companies: no advertising, no statistics, no fonts.',
        'Messages are not end-to-end encrypted. They are encrypted in transit when the operator serves this site over HTTPS, as they should. Whoever runs the server and its database can technically read them, as with most hospital systems.',
      ],
    },
    {
      id: 'what-stays-on-a-device',
      title: 'What stays on a device',
      paragraphs: ['When you sign in, you say whether the device is your own. If you don’t, it is treated as shared.'],
      points: [
        { title: 'Shared device', text: 'Only unsent work is kept, encrypted.' },
        {
          title: 'Own device',
          text: 'What you have read is kept too, encrypted, for up to 7 days, so that you can read it offline.',
        },
        {
          title: 'After signing out',
          text: 'The key is deleted. Unsent work stays, unreadable, until the same person signs in again. Everything else is deleted.',
        },
        {
          title: 'While you type',
          text: 'An unfinished text is kept in its tab, unencrypted, so that a reload does not lose it. It is deleted when you sign out or close the tab.',
        },
      ],
    },
    {
      id: 'who-can-read-what',
      title: 'Who can read what',
      paragraphs: [
        'The people in a chat can read it as long as they are members of its facility. The server checks this for every request. When a session or a membership ends, that person’s open connections are closed and the copies on their device are deleted.',
      ],
    },
    {
      id: 'what-is-recorded',
      title: 'What is recorded',
      paragraphs: [
        'Sign-ins, messages, and changes to chats, memberships and accounts each leave an entry in an audit log: who did what, to what, and when. The entry and the change are saved together, or neither is. Entries are not changed afterwards.',
      ],
    },
    {
      id: 'cookies-and-storage',
      title: 'Cookies and storage',
      paragraphs: [
        'There are two cookies, both needed: one identifies your session, one protects forms. Neither tracks you on other sites. The browser also keeps your choice of light or dark, whose device this is, the encrypted copy described above, and the app itself, so that it opens offline.',
        'Passwords are stored only as Argon2id hashes. A session ends after 12 hours on a shared device and after 7 days on your own.',
      ],
    },
    {
      id: 'open-source',
      title: 'Open source',
      paragraphs: [
        'Wardline is free software under the Apache License 2.0. The source has the details of everything on this page.',
      ],
    },
  ],
};
