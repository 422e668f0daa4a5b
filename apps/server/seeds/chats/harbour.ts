import type { ChatScript } from '../seed-chat.ts';

/** Harbour District Clinic. */
export const harbour: readonly ChatScript[] = [
  {
    at: 'harbour',
    kind: 'case',
    title: 'Rosalind Teague',
    patient: { name: 'Rosalind Teague', identifier: 'MRN H-20-4415', bornOn: '1979-08-25', bed: 'C-07' },
    people: ['tomas', 'isolde', 'ana', 'petra'],
    endsMinutesAgo: 26,
    unread: { ana: 2, isolde: 1 },
    said: `
      isolde 4 Mrs Teague, kidney infection, second bag of ceftriaxone is through. Temperature 37.6, was 39.1 this morning.
      tomas 12 Good. Culture from the general hospital?
      isolde 3 Escherichia coli, sensitive to everything on the card except amoxicillin. I have the printout.
      petra 22 She keeps fluids and half a sandwich down. Pain on the right when I tap, less than yesterday.
      tomas 5 Then we go to tablets tonight. Seven days in all, counted from the first bag.
      ana 30 I am here until nine as bank nurse. Shall I give the first tablet before she leaves, so that we see it stays down?
      tomas 2 Please do, and keep her an hour.
      petra 18 Her husband picks her up at half past eight. They live ten minutes away and he does not drink.
      ana 52 Tablet stayed down, pulse 76, pressure 122/70. She would like to sleep in her own bed.
      tomas 9 She can go home with the oral course. Letter is drafted.
      isolde 4 I have given her the card: fever above 38.5, vomiting or shivering, she calls the night line and not us in the morning.`,
  },
  {
    at: 'harbour',
    kind: 'group',
    title: 'Harbour clinic nurses',
    people: ['isolde', 'petra', 'ana', 'marit'],
    endsMinutesAgo: 465,
    unread: { isolde: 1, marit: 3 },
    said: `
      isolde 3 Vaccination morning tomorrow: 48 booked, two rooms, Petra and I vaccinate, Ana has the waiting area and the fainting.
      petra 5 I have put the fainting couch next to the window, it opens.
      ana 12 I bring juice and the blood pressure machine that does not lie.
      isolde 900 48 came, plus 5 who heard of it at the baker's. Two fainted, nobody hit anything.
      petra 6 Both were over six feet tall. It is always the tall ones.
      isolde 4 Fridge was at 9 degrees for twelve minutes when the door stood open. I have asked the manufacturer: usable, I wrote down the batch and the answer.
      marit 40 Thank you for writing it down at once. Do you need a door alarm?
      isolde 3 Yes, one that can be heard in room 2.
      marit 7 Ordered.
      petra 300 The sterilised sets are down to four. Delivery is on Thursday, I have moved the two excisions to Friday.
      isolde 11 Patients told?
      petra 2 Both, and both were glad: football on Thursday.
      isolde 120 The vaccine fridge log is back on the wall.`,
  },
  {
    at: 'harbour',
    kind: 'case',
    title: 'Marcus Bell: leg ulcer',
    patient: { name: 'Marcus Bell', identifier: 'MRN H-20-4127', bornOn: '1952-02-06', bed: 'C-02' },
    people: ['isolde', 'tomas', 'petra'],
    endsMinutesAgo: 1700,
    unread: { isolde: 2 },
    said: `
      petra 4 Mr Bell, week 6 of compression: 4.1 by 2.6 cm, was 6.0 by 3.8. Clean base, no smell.
      isolde 6 That is the first time I am pleased with it. Same bandage?
      petra 2 Same, he sleeps in it now.
      tomas 25 Toe pressures from the vascular lab are fine, so you may go up one class.
      isolde 9 Then from Monday. He asks whether he may go swimming.
      tomas 3 Not yet. Walking, every day, twice round the harbour.
      isolde 2 He will say it rains.
      petra 4 He said it rains.`,
  },
  {
    at: 'harbour',
    kind: 'direct',
    title: 'Isolde Brandt, Dr. Tomas Lindqvist',
    people: ['isolde', 'tomas'],
    endsMinutesAgo: 210,
    unread: { isolde: 1 },
    said: `
      isolde 2 The laboratory van comes an hour earlier from next week. Bloods must be drawn by ten.
      tomas 14 Then I move the fasting patients to eight and the talking ones to after ten.
      isolde 3 I tell the front desk. The two from the island cannot be here by eight, the ferry lands at twenty past.
      tomas 2 They get the quarter to nine, both of them.
      isolde 44 Done. Room 3 has a new lamp, it no longer hums.
      tomas 5 I had begun to miss it.`,
  },
];
