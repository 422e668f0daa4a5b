import type { ChatScript } from '../seed-chat.ts';

/** Cases of MED 3A and of who comes to it. */
export const medicalCases: readonly ChatScript[] = [
  {
    at: 'brigid',
    kind: 'case',
    title: 'Edith Maron',
    patient: { name: 'Edith Maron', identifier: 'MRN 40-118-236', bornOn: '1948-03-14', bed: '3A-12' },
    people: ['mira', 'ana', 'leila', 'priya', 'ben', 'owen'],
    endsMinutesAgo: 2,
    unread: { ana: 3, mira: 1, owen: 5 },
    said: `
      ana 4 Edith is back from dialysis education, tired but oriented. Obs fine, NEWS 1. She ate half her supper.
      mira 21 Thank you. Creatinine was 198 this morning, so please hold the ramipril tonight. I have stopped the spironolactone.
      ana 5 Held and signed. She asks whether she may have her own fruit juice, her daughter brought two litres of orange.
      mira 3 Not tonight, please. Water or tea, and tell the daughter it is about the potassium. I will explain it to both tomorrow.
      leila 64 Bladder scan 120 mL after she passed 200. No need for a catheter from my side.
      mira 4 Agreed, none.
      leila 95 She says her legs feel heavy and she is a little nauseous. Pulse 52, it was 74 at supper. BP 118/62, sats 95 on air.
      mira 2 ECG now please, and a venous gas with potassium. I am on my way up from ED, ten minutes.
      leila 9 ECG done. No peaked T waves that I can see, PR 210 ms. Gas went down the tube, renal profile with it.
      mira 6 I see a slightly wide QRS compared with Monday. Please put her on the monitor and keep the defibrillator at the bay.
      ana 3 Monitor on, bay 3, screen faces the desk. I have moved bed 11 across so there is room.
      ben 17 Renal profile: potassium 6.8 mmol/L. Not haemolysed, I ran it again on the second analyser: 6.7. Sodium 131, urea 18.4, creatinine 214, bicarbonate 17.
      ben 1 I am calling it through to the registrar as well. Who has it?
      mira 1 Me. Potassium 6.8, repeat 6.7, Edith Maron, MRN ending 236. Thank you.
      mira 1 K 6.8 mmol/L, confirmed, not haemolysed. Calcium gluconate 10 % 30 mL IV now, then insulin 10 units with 25 g glucose. Repeat K two hours after.
      priya 2 Calcium gluconate is in your emergency drawer, second fridge has the insulin. I am sending up 50 % glucose, your last one went out of date yesterday.
      leila 1 At the bedside. Second line is in, calcium is drawn up. Who signs the insulin with me?`,
  },
  {
    at: 'brigid',
    kind: 'case',
    title: 'Casimir Wolny',
    patient: { name: 'Casimir Wolny', identifier: 'MRN 40-119-502', bornOn: '1961-07-02', bed: '3A-03' },
    people: ['ana', 'leila', 'mira', 'grace', 'bridget'],
    endsMinutesAgo: 190,
    said: `
      ana 10 Mr Wolny, left heel, diabetic foot. Dressing soaked through before lunch, changed it myself. Edges pink, no smell, 3 by 2 cm.
      mira 35 Good. Swab from admission grew a sensitive Staph aureus, so he steps down to oral flucloxacillin from tonight. Five more days.
      leila 12 He asks for the tablets before food and not at night if possible. Moved them to 06, 12, 18 and 22.
      mira 4 Perfect, and he is right about the food.
      grace 140 Saw him with the offloading boot. Walks 15 m with the frame and me beside him. He forgets the boot when he gets up at night, so please leave it on the bed and not under it.
      ana 8 Sign over the bed: boot first. He laughed, but he did it.
      bridget 1290 Community nurse can start dressings on Monday if we send the wound chart before Friday noon. Who does the photo?
      leila 20 I do, with the ruler. He has signed for it.
      bridget 3 Thank you. Transport asks whether he manages stairs: there are four at his door.
      grace 45 Four with a rail on the right, yes. I practised six with him. He needs somebody behind him the first week, his son will be there.
      mira 60 HbA1c came back at 74. I have asked the diabetes nurse to see him before he goes, not after.
      leila 410 Wound dry, dressing changed. Next look at six in the morning. He sleeps.`,
  },
  {
    at: 'brigid',
    kind: 'case',
    title: 'Agathe Renaud: discharge letter',
    patient: { name: 'Agathe Renaud', identifier: 'MRN 40-117-940', bornOn: '1939-11-27', bed: '3A-08' },
    state: 'closed',
    people: ['mira', 'ana', 'bridget', 'priya'],
    endsMinutesAgo: 3000,
    said: `
      bridget 5 Mme Renaud could go tomorrow. Her niece collects her at eleven. What is still missing from the letter?
      mira 16 The echo report and the final diuretic. She has lost 6.2 kg, lungs clear, so furosemide 40 in the morning only.
      priya 9 Reconciled. She takes her own thyroxine, and the bag from home held two kinds of bisoprolol. I have taken the old 5 mg box out and written why.
      ana 4 That explains the pulse of 44 on the day she came.
      mira 3 It does. I will put that in the first paragraph, so that nobody starts it again.
      ana 30 She weighs 58.4 kg today on our scales. Please name the scales, at home she has one that shows two kilos less.
      mira 11 Done: call us or the heart failure nurse at plus two kilos in three days, measured on her own scales.
      bridget 90 Meals on wheels from Wednesday. The niece fills the fridge until then.
      mira 25 Letter is signed, a copy goes to her GP and to the heart failure clinic. Follow-up in ten days with bloods.
      ana 1020 Gone at 11:20, walked to the car with her stick. Bed 8 is with domestic services.
      mira 6 Thank you all. I close this.
      mira 0 *closed the chat`,
  },
  {
    at: 'brigid',
    kind: 'case',
    title: 'Greta Hollis',
    patient: { name: 'Greta Hollis', identifier: 'MRN 40-120-015', bornOn: '1955-01-19', bed: '3A-15' },
    state: 'handed_over',
    people: ['mira', 'ana', 'leila', 'yusuf', 'hana'],
    endsMinutesAgo: 520,
    unread: { mira: 2 },
    said: `
      yusuf 8 Coming to you from ED: Greta Hollis, right lower lobe pneumonia, CURB-65 of 2. First antibiotics given, 2 L by nasal cannula, sats 94.
      ana 5 Bed 15 is ready, it is the one by the window with working suction.
      yusuf 3 Her penicillin allergy is a rash as a child, nothing since. She had ceftriaxone last year without trouble, so that is what she got.
      mira 14 Read, and I agree. Added clarithromycin. QTc first, please.
      leila 22 QTc 441. First dose is up.
      hana 70 Her film has a lucency behind the heart that I did not like. Radiologist says hiatus hernia, an old one. Report follows.
      mira 9 Good that you looked. Then no change.
      leila 310 Temperature 38.9, she shivers. Cultures repeated from the other arm, paracetamol given. NEWS 5.
      mira 4 I come. Please have 500 mL ready and measure the lactate.
      leila 18 Lactate 1.4. She is warm, talks in whole sentences.
      mira 30 Stays here. Observations hourly until midnight, then two-hourly if NEWS is below 4. ICU knows her name, nothing more.
      leila 240 NEWS 3 twice in a row, off oxygen since the last round. Urine 60 mL in the hour.
      mira 35 Handed to the day team on paper and in words. Antibiotics to be reviewed when the cultures speak.
      mira 1 *handed the chat over
      leila 25 Day team has read it. She asks when her reading glasses come up from ED.
      ana 6 They are in the property book, bag 31. I bring them.`,
  },
  {
    at: 'brigid',
    kind: 'case',
    title: 'Tobias Lenz: step down from ICU',
    patient: { name: 'Tobias Lenz', identifier: 'MRN 40-116-318', bornOn: '1972-09-08', bed: 'ICU-05' },
    people: ['kofi', 'ana', 'mira', 'grace', 'owen'],
    endsMinutesAgo: 48,
    unread: { ana: 2, mira: 4 },
    said: `
      kofi 6 Tobias Lenz is fit for the ward: 36 hours off noradrenaline, extubated since yesterday noon, 28 % by Venturi.
      ana 9 I can take him to 3A-09 after the terminal clean. Which lines does he bring?
      kofi 4 One peripheral in the left forearm, the neck line comes out at two. Urinary catheter day 4, please try without it tomorrow.
      mira 11 Any delirium? He was climbing the rails on Tuesday.
      kofi 3 CAM negative since yesterday morning. He needs his hearing aids, then he is quite somebody else. Spare batteries are taped to his chart.
      grace 28 Sat him on the edge twice, five minutes each. Two people, no hoist. Cough is weak but it clears.
      mira 7 Then chest physio twice on the ward as well, please. And no night sedation without asking me.
      grace 2 Both noted.
      owen 31 Bed 9 is confirmed. ED wanted it for a boarder, I have given them 14 instead.
      ana 5 Thank you. We keep the first two hours one to one, Leila takes him.
      kofi 44 Neck line out, tip not sent. Pressed for ten minutes, dry. He leaves here when you call.
      ana 13 Clean is running late, say forty minutes. I call.
      kofi 2 No hurry, he is having soup and complaining about it. That is the best sign all week.
      ana 36 Ready for him now. Please send the ICU summary before the man.
      kofi 5 Summary is in the record. Leaving in ten minutes with me and one porter.`,
  },
];
