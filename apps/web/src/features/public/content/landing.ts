import type { LandingContent } from './page-content.ts';

export const landing: LandingContent = {
  title: 'Hospital chat that keeps every message',
  lead: 'Staff talk about a patient in one place, on a server that their own hospital runs. What they write is kept until it has arrived: on a bad network, and on none.',
  talk: {
    title: 'Made for the ward',
    points: [
      {
        title: 'Two identifiers, always',
        text: 'A chat about a patient shows the name and a second identifier, such as the record number. A bed is a place, never an identity.',
      },
      {
        title: 'You see who has read it',
        text: 'A message is sent, delivered, then read, and says by whom. What you have not read is marked the same on each of your devices.',
      },
      {
        title: 'At hand at 3 a.m.',
        text: 'One hand on a phone or a keyboard on the ward computer; light or dark. Install it from the browser, there is no shop to go through.',
      },
    ],
  },
  offline: {
    title: 'A bad network costs no words',
    text: 'A message is stored on the device, encrypted, before the first byte leaves it. If the tab is closed or the server restarts, it waits, goes out by itself, and arrives once and in order. Until then the page says what is still waiting.',
  },
  data: {
    title: 'Patient data stays where it belongs',
    points: [
      {
        title: 'In your hospital',
        text: 'Messages are kept in the database of the hospital that runs this server. The pages load nothing from other companies.',
      },
      {
        title: 'Off shared computers',
        text: 'On a shared device only unsent work is kept, encrypted. Signing out takes away the key.',
      },
      {
        title: 'Only while you belong',
        text: 'Who leaves a facility or is taken out of a chat can open it no longer, on any screen.',
      },
      {
        title: 'On the record',
        text: 'No message and no change is stored without its entry in the audit log.',
      },
    ],
  },
  entry: {
    title: 'How to get in',
    text: 'Accounts belong to people, one each. Ask whoever looks after Wardline in your facility, or write to the operator of this server.',
  },
};
