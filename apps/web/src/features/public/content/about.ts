import type { AboutContent } from './page-content.ts';

export const about: AboutContent = {
  title: 'About Wardline',
  lead: 'What it does, what it does not do, and what becomes of what you write.',
  chapters: [
    {
      id: 'what-it-does',
      title: 'What it does',
      paragraphs: [
        'Wardline is a chat for people who look after patients. A chat belongs to one facility. A case chat is about one patient, who is named with two identifiers; a group chat is for a team.',
        'Each message has its place in one order that is the same for everybody. The page shows who is here, who is writing, and how far a message has got: sent, delivered, read.',
      ],
    },
    {
      id: 'what-it-does-not-do',
      title: 'What it does not do',
      paragraphs: [
        'It is not the patient’s record and does not replace it. It is not an alarm: in an emergency, call. It is not a certified medical device, and nobody has certified it for the rules of any country; whether it fits them is for your hospital to judge.',
      ],
    },
    {
      id: 'where-messages-are-kept',
      title: 'Where messages are kept',
      paragraphs: [
        'On the server of the hospital that runs this installation, in its own PostgreSQL database. A message counts as sent only once that database has written it to disk. The pages you see load nothing from other companies: no advertising, no statistics, no typefaces.',
        'Messages are not end-to-end encrypted. They are protected on their way when the operator serves this site over HTTPS, as they should. Whoever runs the server and its database can technically read them, as with most hospital systems.',
      ],
    },
    {
      id: 'what-stays-on-a-device',
      title: 'What stays on a device',
      paragraphs: ['When you sign in you say whether the device is your own. It is treated as shared unless you do.'],
      points: [
        { title: 'Shared device', text: 'Only work that has not been sent is kept, encrypted.' },
        {
          title: 'Own device',
          text: 'What you have read is kept too, encrypted, for at most 7 days, so that it can be read without a network.',
        },
        {
          title: 'After signing out',
          text: 'The key is deleted. Unsent work stays, unreadable, until the same person signs in again; everything else goes.',
        },
        {
          title: 'While you type',
          text: 'An unfinished text is kept in its own tab, in the clear, so that a reload does not cost it. It goes when you sign out or close the tab.',
        },
      ],
    },
    {
      id: 'who-can-read-what',
      title: 'Who can read what',
      paragraphs: [
        'A chat is open to the people in it, as long as they are members of its facility. The server asks for each request whether that still holds. When a session or a membership ends, the open connections of that person are cut and the copies on their device go.',
      ],
    },
    {
      id: 'what-is-recorded',
      title: 'What is recorded',
      paragraphs: [
        'Sign-ins, messages, and changes to chats, memberships and accounts each leave an entry in an audit log: who did what, to what, and when. The entry is written together with the change; neither exists without the other. Entries are not changed afterwards.',
      ],
    },
    {
      id: 'cookies-and-storage',
      title: 'Cookies and storage',
      paragraphs: [
        'There are two cookies, both needed: one names your session, one protects forms. They follow you nowhere else. The browser also keeps your choice of light or dark, whose device this is, the encrypted copy described above, and the program itself, so that it opens without a network.',
        'Passwords are stored only as Argon2id hashes. A session ends after 12 hours on a shared device and after 7 days on your own.',
      ],
    },
    {
      id: 'open-source',
      title: 'Open source',
      paragraphs: [
        'Wardline is free software under the Apache License 2.0. The source says the same as this page, in more detail.',
      ],
    },
  ],
};
