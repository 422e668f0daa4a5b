import type { LandingContent } from './page-content.ts';

export const landing: LandingContent = {
  title: 'Hospital chat that keeps every message',
  lead: 'Staff talk about a patient in one place, on a server that their own hospital runs. Messages arrive even after a bad network, or none.',
  talk: {
    title: 'Made for hospital units',
    points: [
      {
        title: 'Two identifiers, always',
        text: 'A chat about a patient shows the name and the MRN or another ID. A bed number is a location, not an identifier.',
      },
      {
        title: 'You see who has read it',
        text: 'Each message shows whether it is sent, delivered or read, and by whom. Unread marks are the same on all your devices.',
      },
      {
        title: 'Easy to use at 3 a.m.',
        text: 'Works with one hand on a phone or a keyboard on a shared computer, in light or dark. Install it from the browser, without an app store.',
      },
    ],
  },
  offline: {
    title: 'No message lost on a bad network',
    text: 'A message is stored on the device, encrypted, before it is sent. If the tab is closed or the server restarts, it is sent later and arrives once and in order. Until then the page shows what is still waiting.',
  },
  data: {
    title: 'Patient data stays in your hospital',
    points: [
      {
        title: 'On your own server',
        text: 'Messages are kept in the database of the hospital that runs this server. The pages load nothing from other companies.',
      },
      {
        title: 'Not on shared computers',
        text: 'On a shared device only unsent work is kept, encrypted. Signing out deletes the key.',
      },
      {
        title: 'Only for current members',
        text: 'Someone who leaves a facility or is removed from a chat can no longer open it, on any device.',
      },
      {
        title: 'On the record',
        text: 'Every message and every change has an entry in the audit log.',
      },
    ],
  },
  entry: {
    title: 'How to get in',
    text: 'Each account belongs to one person. Ask your facility’s administrator, or write to the operator of this server.',
  },
};
