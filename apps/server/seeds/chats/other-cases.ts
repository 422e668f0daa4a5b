import type { ChatScript } from '../seed-chat.ts';

/** Cases of surgery, maternity, children, oncology. */
export const otherCases: readonly ChatScript[] = [
  {
    at: 'brigid',
    kind: 'case',
    title: 'Victor Amadi',
    patient: { name: 'Victor Amadi', identifier: 'MRN 40-120-771', bornOn: '1957-05-30', bed: '2B-04' },
    people: ['samuel', 'ana', 'hana', 'mira', 'grace'],
    endsMinutesAgo: 41,
    unread: { ana: 1, samuel: 2 },
    said: `
      samuel 5 Day 2 after the right hemicolectomy. Drain 80 mL, clear. He may drink freely, build up to soup tomorrow.
      ana 13 He drank 900 mL and passed wind, loudly and proudly. Pain 3 of 10 when he coughs.
      samuel 4 Then the epidural comes down today and tablets go on two hours before. Not the other way round, please.
      ana 6 Written on the board exactly like that.
      grace 75 Walked to the door and back. Left base sounds quiet to me, and he does not like deep breaths.
      ana 20 Sats 92 on air lying, 95 sitting. Temperature 37.7.
      samuel 9 Chest X-ray please, erect if he can.
      hana 32 Done, erect, good breath. First report: no focal consolidation, lung bases poorly seen.
      mira 15 I was asked to have a look. I would call the left costophrenic angle blunted. Can the radiologist look again with the film from before the operation beside it?
      hana 58 Chest X-ray amended to version 2: small left effusion, new. No free air beyond what is expected on day 2.
      samuel 12 So: physiotherapy hourly while awake, incentive spirometer, no antibiotic yet. CRP in the morning. Call me if he needs oxygen.
      grace 8 Spirometer is at the bed, he gets 1,100 mL. Target 1,800. We made it a bet with his grandson.
      ana 4 Handed to the evening nurse in these words.
      mira 66 I looked in on the way: comfortable, 95 on air, upright. Nothing to add from medicine.`,
  },
  {
    at: 'brigid',
    kind: 'case',
    title: 'Noor Siddiqui and baby',
    patient: { name: 'Noor Siddiqui', identifier: 'MRN 40-121-004', bornOn: '1994-02-11', bed: 'MAT-2' },
    people: ['elena', 'ana', 'ines', 'priya'],
    endsMinutesAgo: 270,
    said: `
      elena 3 Noor Siddiqui, girl, 3,240 g, born at nine this morning. Both well. Blood loss 350 mL, uterus firm.
      elena 48 First feed was short, second one twenty minutes with a good latch. Skin to skin since then.
      ines 33 Newborn check done: hips, heart, eyes all fine. Small birthmark left shoulder, drawn on the chart.
      elena 7 Thank you. Bilirubin?
      ines 5 Transcutaneous 96, low zone for the hours. I repeat it tomorrow before they go, her brother had phototherapy.
      priya 52 The iron she takes at home contains vitamin A above what we advise while feeding. I left our own tablets and a note in plain words.
      elena 11 I explained it, she takes ours. She is glad somebody looked.
      elena 190 First wet nappy and first meconium, in that order, ten minutes apart. The father has counted.
      ana 25 I can lend you a nurse from 2B until nine if maternity gets any busier.
      elena 4 Two in labour and one on the way in. Yes please.
      ana 3 Sent. She has done a year of postnatal, use her.
      elena 130 Handed over to nights. Feeding well, first bath tomorrow. Mother slept two hours in one piece.`,
  },
  {
    at: 'brigid',
    kind: 'case',
    title: 'Lina Farrow',
    patient: { name: 'Lina Farrow', identifier: 'MRN 40-121-377', bornOn: '2019-10-04', bed: 'PED-06' },
    people: ['ines', 'yusuf', 'mira', 'priya'],
    endsMinutesAgo: 155,
    unread: { mira: 2 },
    said: `
      yusuf 4 Lina, 7 years, asthma, third visit this year. Three salbutamol nebulisers here, prednisolone given, sats 93 on 1 L. She is yours as soon as you have a bed.
      ines 6 Bed 6, next to the desk. Does the family have a spacer at home?
      yusuf 3 One that the dog has eaten. The mother said so before I asked.
      ines 40 She is here. Respiratory rate 34, some recession, speaks in short sentences. Peak flow 140, her best is 230.
      mira 10 I cover paediatrics until eight. Ten puffs by spacer hourly, ipratropium with the first three. Write the time on the whiteboard so that she sees how the gaps get longer.
      ines 62 After the second round: rate 28, sats 95 without oxygen. She asked for toast.
      mira 5 Toast is a vital sign. Stretch to two-hourly if the next one is as good.
      priya 33 New spacer with mask and one with mouthpiece are on their way. I can show her and the mother the mouthpiece tomorrow at ten.
      ines 8 They would like that. The mother asks about the preventer: they stopped when the cough stopped.
      mira 12 That is the conversation that matters. Let us have it with both of them, the girl too, before discharge and not at the door.
      ines 115 Two-hourly for the second time, sats 96, asleep on her side with the toy fox.
      ines 4 Father asks how long. I said tomorrow afternoon if the night stays like this.`,
  },
  {
    at: 'brigid',
    kind: 'case',
    title: 'Magnus Thorne: fever on day 9',
    patient: { name: 'Magnus Thorne', identifier: 'MRN 40-115-092', bornOn: '1966-12-22', bed: 'ONC-11' },
    people: ['clara', 'mira', 'ben', 'priya', 'owen'],
    endsMinutesAgo: 820,
    said: `
      clara 2 Magnus Thorne, day 9 after chemotherapy, 38.4 now. He feels well, which never reassures me.
      mira 1 Door to antibiotic under an hour, please. Cultures from the port and from the arm, then piperacillin with tazobactam. I come.
      clara 11 Both cultures gone, antibiotic running. That was fourteen minutes.
      ben 23 Neutrophils 0.2, platelets 31, Hb 84. CRP 62. Phoned and read back by Clara.
      mira 5 No rectal temperatures, no intramuscular anything. Blood if Hb falls under 80 or he gets breathless.
      priya 16 He takes posaconazole: I have checked, nothing he gets today argues with it. No clarithromycin for him.
      clara 70 38.9, BP 104/60, was 128/74. Capillary refill three seconds.
      mira 2 500 mL balanced crystalloid in fifteen minutes. Lactate. Owen, is there an ICU bed in case?
      owen 6 One, being cleaned, usable within the hour. I hold it until you tell me.
      ben 12 Lactate 1.9.
      clara 26 BP 118/66 after the fluid. He is cross that the football is over, so the head works.
      mira 44 Keep the bed one hour more, then give it back if he stays like this.
      owen 63 May I give it back?
      mira 4 Yes. Thank you for holding it.
      clara 480 Temperature 37.4 since four this morning. He ate breakfast.
      ben 95 Port culture positive after 13 hours, Gram-negative rods. Arm still negative. Sensitivities tomorrow.
      mira 7 So it is the port. He stays on the same antibiotic and the vascular team sees him today. Thank you for calling it early.`,
  },
  {
    at: 'brigid',
    kind: 'case',
    title: 'Imre Valk',
    patient: { name: 'Imre Valk', identifier: 'MRN 40-120-602', bornOn: '1945-04-17', bed: '2B-11' },
    people: ['samuel', 'ana', 'grace', 'bridget', 'priya'],
    endsMinutesAgo: 1480,
    said: `
      ana 7 Mr Valk, hip on Monday, pulled his cannula twice last night and looked for his bicycle in the linen room.
      samuel 15 Sodium normal, wound calm. What did he get for sleep?
      ana 2 Nothing from us. But oxycodone twice, the second at one in the morning.
      priya 6 I would halve it and give paracetamol regularly instead of when asked. He is 81 with a filtration rate of 41.
      samuel 3 Please do so. Catheter out today as well.
      grace 90 He walks best before ten. Ten steps with the frame, sat in the chair for lunch, knew my name in the afternoon.
      ana 35 His wife brought the radio and his own pillow. Clock and calendar hang where he sees them.
      ana 820 Quiet night, up once, found the bathroom by himself because we left the light on in it.
      bridget 130 Rehabilitation has a place on Thursday if he is clear at night until then.
      samuel 25 He will be. Please keep the place.
      bridget 4 Kept, under the name of his wife for the phone calls: he does not hear the phone.`,
  },
];
