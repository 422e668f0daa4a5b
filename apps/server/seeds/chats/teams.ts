import type { ChatScript } from '../seed-chat.ts';

/** Groups, direct chats and announcements of St. Brigid General. */
export const teams: readonly ChatScript[] = [
  {
    at: 'brigid',
    kind: 'group',
    title: 'MED 3A night team',
    people: ['ana', 'leila', 'priya', 'mira', 'owen', 'marek'],
    endsMinutesAgo: 12,
    unread: { ana: 4, mira: 6, owen: 2 },
    said: `
      ana 5 Night team: Leila bays 1 and 2, bank nurse bay 3, I have the side rooms and the phone. Mira holds the bleep for both floors.
      leila 3 Bed 7 needs turning at even hours, his chart says odd. I have changed the chart.
      ana 2 Thank you. Bed 12 is the one to watch: potassium climbing, second sample on the way.
      priya 18 I am in the building until two, then on call. Controlled drugs check whenever you like, sooner is better.
      leila 4 In a quarter of an hour? I need to finish the antibiotics first.
      priya 1 Fine.
      marek 36 Lift B is out until morning. Patients go by lift A, food by the stairs, sorry to everybody's knees.
      owen 9 ED has three boarders, one of them medical. I need one bed from you before four. Which will it be?
      ana 6 Bed 9, as soon as it is clean. The gentleman went to the hospice at eight.
      mira 3 The boarder is a 58-year-old with cellulitis. Stable, walks, no isolation. I have seen him.
      ana 2 Then bed 9 suits him.
      leila 51 Drug round done. One omission: bed 4 refused his heparin, says it bruises. He would talk to a doctor about it.
      mira 8 I talk to him on my round, before breakfast anyway.
      marek 40 The pump for bed 2 is back from the workshop, label is green. It stands in the clean utility.
      ana 5 You are a treasure. The one with the red label is still alarming in there, please take it away.
      marek 2 Gone.
      leila 22 Bed 9 is clean and made up, ready for ED.
      owen 3 He leaves ED in ten minutes.
      leila 14 Here he is. Settled, obs done, has eaten two sandwiches.
      priya 7 Emergency drawer refilled: glucose 50 %, calcium, adrenaline. New seal number is on the sheet.`,
  },
  {
    at: 'brigid',
    kind: 'group',
    title: 'SUR 2B handover',
    people: ['ana', 'samuel', 'grace', 'marek', 'bridget'],
    endsMinutesAgo: 95,
    unread: { ana: 2 },
    said: `
      ana 6 Morning: 19 patients, 5 from theatre yesterday, 3 for theatre today. First on the list is bed 6, nil by mouth since midnight.
      samuel 4 Second on the list changes: bed 14 first, bed 10 after. The implant for 10 comes at eleven.
      ana 3 Told both, and told 10 he may have clear fluids until nine.
      grace 25 I start with the hips, then the abdomens. Who may not weight-bear?
      samuel 2 Bed 3 touch only. All others as they can.
      bridget 55 Discharges today: beds 2, 8, 16 and 17. Transport is booked for 8 and 17. 16 waits for her letter.
      samuel 12 Letter for 16 is done.
      ana 140 Bed 14 is back, drowsy and comfortable. Drain 40 mL. Dressing dry.
      marek 20 Two bed frames on your corridor have brakes that do not hold. I have tagged them. Please do not put anybody into them even for a minute.
      ana 4 Nobody is in them. The one by the linen room is the second?
      marek 1 Yes, that and the one with the blue rail.
      grace 70 Bed 3 stood with two. He is dizzy when he sits up, 96/50. I put him back.
      ana 3 Given 250 mL as charted, pressure 112/60 lying. Samuel, do you want the noon tablet held?
      samuel 5 Hold it. And check the haemoglobin with the afternoon bloods.
      ana 160 Evening: 20 patients. Haemoglobin of bed 3 is 91, was 104. Drain unchanged. He feels better and has had tea.
      samuel 8 Fine, repeat in the morning. I am in the house until ten.`,
  },
  {
    at: 'brigid',
    kind: 'group',
    title: 'Bed meeting',
    people: ['owen', 'ana', 'kofi', 'clara', 'ines', 'elena', 'yusuf', 'ruth', 'marit', 'bridget'],
    endsMinutesAgo: 75,
    unread: { ana: 3, ruth: 2, marit: 5, owen: 0 },
    said: `
      owen 4 Midday: 92 in 98 staffed beds without ICU. Six boarders in ED. What can move before three?
      ana 3 MED 3A: 22, two definite by two o'clock, one maybe. SUR 2B: 19, four going, three coming from theatre.
      clara 2 ONC: 17 of 18. One goes home if her platelets behave, I know at one.
      ines 4 PED: 9 of 12. I can take two, not infants, we are one nurse short.
      elena 5 MAT: 10. Two inductions this afternoon. Please nobody else's patients today.
      kofi 6 ICU: two step-downs ready, both waiting for ward beds. No admissions possible until they move.
      owen 3 Then that is the knot. Ana, can your definite two be in the discharge lounge by noon?
      ana 4 One can. The other waits for oxygen at home, the van says between one and four.
      bridget 9 I called them, it is between one and two now.
      owen 1 Good. Both step-downs to 3A by three, then ICU can take the trauma.
      yusuf 7 From ED: one of the six can go home if somebody fits a sling. I will do it myself.
      ruth 15 A note for tonight: yesterday's sheet of ICU is still open and the total does not close without it. In and out differ by two.
      kofi 8 My mistake, I close it before four. Three in from wards, two out.
      ruth 2 That would explain it exactly. Thank you.
      marit 45 The council asks for our winter figures by Friday. I need only the occupied bed days, nothing about people.
      ruth 6 You have them tomorrow by ten.
      owen 170 Evening: ICU moved both, trauma is in. ED down to three boarders. That was good work, all of you.
      yusuf 5 One of the three is medical and stable, the other two are surgical.
      ana 7 3A gets one at night when bed 9 is clean. 2B is full until the morning.`,
  },
  {
    at: 'brigid',
    kind: 'group',
    title: 'Unit day: MED 3A',
    people: ['ruth', 'ana', 'owen'],
    endsMinutesAgo: 1630,
    unread: { ana: 1 },
    said: `
      ana 3 Sheet for Tuesday is in: opening 23, admitted 2, in 2, discharged 1, out 2, closing 24.
      ruth 35 Thank you. SUR 2B says it received one from you, you say two went out to them. Which?
      ana 12 Two left us for theatre. One came back to us in the evening.
      ruth 4 Then he never was theirs: a patient who is in theatre stays on the sheet of the ward he comes back to.
      ana 2 So out 1 and closing 25?
      ruth 3 The head count at midnight says 24. Was somebody discharged after ten?
      ana 9 Yes! Bed 6, against advice, signed at half past ten. I have the form here.
      ruth 2 Then discharged 2, out 1, closing 24. It closes. I return the report so that you can change it and it stays visible why.
      owen 20 For my understanding: did he take his line with him?
      ana 4 No. I took it out while he was arguing.
      ruth 6 Returned the report: transfers out to SUR 2B do not match.`,
  },
  {
    at: 'brigid',
    kind: 'group',
    title: 'Equipment pool',
    people: ['marek', 'ana', 'kofi', 'clara', 'elena', 'ines', 'hana'],
    endsMinutesAgo: 350,
    unread: { ana: 2 },
    said: `
      marek 4 Count this morning: 11 infusion pumps free, 4 syringe drivers, 2 bladder scanners of which 1 works.
      clara 9 I need two syringe drivers, one today and one tomorrow.
      marek 2 Both are at your desk in twenty minutes.
      kofi 40 The transport ventilator of bay 2 fails its self test on the oxygen cell. Tagged red, it stands in my office where nobody falls over it.
      marek 5 Cell comes tomorrow with the courier. You have the old one from theatre until then, tested today.
      elena 66 One CTG prints with a grey band over the contractions. Readable, but I would not like to argue over it.
      marek 8 Print head. I change it between two patients, it takes ten minutes.
      hana 120 The mobile X-ray is slow to charge since the socket at the end of 2B was painted.
      marek 3 Painted? Then it is painted shut. I come with a knife.
      hana 25 It charges. Thank you.
      ines 30 Has anyone seen our infant scales? They went to ED on Sunday and did not come back.
      marek 95 In the plaster room, under a coat. Checked against the test weights: 2 g over at 5 kg. Back with you now.
      ines 4 You find everything.
      ana 210 Two of our pumps ask for service on the first of next month. Do you take them now or shall I use them until then?
      marek 6 Use them. I come on the thirtieth with two others in my hands.`,
  },
  {
    at: 'brigid',
    kind: 'group',
    title: 'Radiology desk',
    people: ['hana', 'yusuf', 'mira', 'samuel', 'kofi'],
    endsMinutesAgo: 65,
    unread: { mira: 3 },
    said: `
      hana 3 CT is back since ten past six. Four in the queue, strokes first as ever.
      yusuf 5 One from me: 44, worst headache of her life, no deficit. Please before the abdomens.
      hana 2 She is next. Send her with the cannula in the right arm, the left bay is tight.
      hana 31 Her plain head is done. Radiologist is reading it now, do not send her back yet.
      yusuf 12 Clear, thank you. I do the lumbar puncture.
      samuel 40 The contrast study of my patient in 2B-04, can it wait until tomorrow? He drank well.
      hana 4 It can. I move him to nine.
      mira 90 Filtration rate 38 for the one with the pulmonary embolism question. She drinks, metformin is stopped. Contrast still yes from my side.
      hana 6 Accepted with half the usual volume. V/Q is not before Monday, so this is the better way.
      mira 3 Agreed.
      hana 47 Small embolus right lower lobe, no strain on the heart. Written report in ten minutes, you have it from me now.
      mira 1 Read: small embolus right lower lobe, no right heart strain. Starting treatment. Thank you.
      kofi 35 Portable chest for ICU-02 after the tube was moved, when you pass by.
      hana 28 Tube at 3 cm above the carina, where you want it. Nasogastric tip is in the stomach, you may feed.
      yusuf 60 Sorry, one more ankle. And tomorrow I bring cake.`,
  },
  {
    at: 'brigid',
    kind: 'group',
    title: 'ED boarders',
    people: ['yusuf', 'owen', 'ana', 'mira'],
    endsMinutesAgo: 18,
    unread: { ana: 1 },
    said: `
      yusuf 6 Three boarders: cellulitis for medicine, two wrists for surgery. Longest wait is seven hours, she has had two meals and a pillow.
      owen 4 Surgery opens two beds after the ward round at seven. Until then they stay with you, sorry.
      yusuf 3 I have put them on hospital beds, not trolleys. They sleep.
      mira 15 Cellulitis seen and clerked, antibiotics running, line drawn around it with the time.
      ana 9 3A-09 in about half an hour.
      yusuf 1 You make a man happy.
      ana 28 Ready.
      yusuf 4 On his way with the notes, his shoes and his opinion on the sandwiches.`,
  },
  {
    at: 'brigid',
    kind: 'announcement',
    title: 'Fire panel test, Friday 14:00',
    people: [
      'marit',
      'owen',
      'ana',
      'mira',
      'leila',
      'ruth',
      'kofi',
      'clara',
      'ines',
      'elena',
      'samuel',
      'yusuf',
      'marek',
    ],
    readers: ['owen', 'ana', 'mira', 'leila', 'ruth', 'kofi', 'clara', 'ines', 'elena', 'samuel', 'yusuf', 'marek'],
    endsMinutesAgo: 400,
    unread: { ruth: 1 },
    said: `
      marit 2 Bells ring for two minutes. Doors on floors 2 and 3 close by themselves: please keep beds and trolleys out of them from 13:50.
      marit 1 Nobody needs to leave. If the bells ring a second time it is not a test.
      marit 1440 Reminder for tomorrow. The lifts stop at the ground floor while it rings, so plan transfers around it.`,
  },
  {
    at: 'brigid',
    kind: 'direct',
    title: 'Ana Reyes, Priya Nair',
    people: ['ana', 'priya'],
    endsMinutesAgo: 8,
    unread: { ana: 1 },
    said: `
      ana 2 Priya, do we have the long-acting insulin in pens or only vials? My bank nurse has never drawn it from a vial.
      priya 6 Pens from tomorrow. I show her tonight if she comes to the hatch, it takes five minutes.
      ana 3 She comes after the round.
      priya 75 She did it three times and then explained it to me. You can leave her alone with it.
      ana 4 Thank you. And the emergency drawer?
      priya 2 On my list before two.
      ana 41 I need rescue for a potassium, real one.
      priya 1 Insulin and glucose are in the second fridge, left door, bottom shelf.`,
  },
  {
    at: 'brigid',
    kind: 'direct',
    title: 'Ana Reyes, Dr. Samuel Obi',
    people: ['samuel', 'ana'],
    endsMinutesAgo: 2710,
    said: `
      samuel 3 Ana, the family of bed 11 would like one person to talk to. May I name you until Thursday?
      ana 12 You may. They get a quarter of an hour at four each day, in the small office with the door shut.
      samuel 2 They will be grateful. His wife does not hear well on the left.
      ana 5 I sit on her right.
      samuel 190 Rehabilitation agreed. Would you tell them? They trust you with the good news as well.
      ana 8 With pleasure.
      ana 55 She cried and then asked what he should wear there. His own clothes, I said, and the shoes with the soles.
      samuel 6 Thank you, Ana.
      ana 2 Thank you. I will tell the family you asked.`,
  },
  {
    at: 'brigid',
    kind: 'group',
    title: 'Rota swaps, last month',
    state: 'archived',
    people: ['ana', 'leila', 'clara', 'ines'],
    endsMinutesAgo: 41_000,
    said: `
      leila 4 I am looking for somebody for the night of the 12th. I can give any late in the week after.
      clara 33 I take it for your late on the 21st.
      leila 2 Done. Thank you!
      ana 15 Approved, both are in the plan.
      ines 1500 Anyone for the early on Sunday? My sister marries on Saturday and I am realistic.
      ana 20 I do it. Dance for us.
      ana 20000 *closed the chat
      ana 10 *archived the chat`,
  },
];
