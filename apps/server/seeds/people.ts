import type { ShippedRole } from '#/features/facilities/index.ts';

interface Place {
  readonly title: string;
  readonly roles: readonly ShippedRole[];
}

interface DemoPerson {
  readonly name: string;
  /** Before @demo.test. */
  readonly mailbox: string;
  readonly brigid?: Place;
  readonly harbour?: Place;
  readonly isOperator?: true;
}

const clinician = (title: string): Place => ({ title, roles: ['clinician'] });
const chargeNurse = (title: string): Place => ({ title, roles: ['chargeNurse'] });

/** Everybody is invented. The seven short mailboxes are promised by OPS-1. */
export const PEOPLE = {
  mira: { name: 'Dr. Mira Okafor', mailbox: 'doctor', brigid: clinician('Medical registrar') },
  ana: {
    name: 'Ana Reyes',
    mailbox: 'nurse',
    brigid: chargeNurse('Charge nurse, MED 3A and SUR 2B'),
    harbour: clinician('Bank nurse'),
  },
  ruth: {
    name: 'Ruth Calloway',
    mailbox: 'officer',
    brigid: { title: 'Census officer', roles: ['censusOfficer'] },
  },
  marit: {
    name: 'Marit Solheim',
    mailbox: 'admin',
    brigid: { title: 'Facility administrator', roles: ['facilityAdministrator'] },
    harbour: { title: 'Facility administrator', roles: ['facilityAdministrator'] },
  },
  isolde: { name: 'Isolde Brandt', mailbox: 'visitor', harbour: chargeNurse('Clinic nurse in charge') },
  jonas: { name: 'Jonas Feld', mailbox: 'newcomer' },
  noa: { name: 'Noa Lindgren', mailbox: 'operator', isOperator: true },
  leila: { name: 'Leila Haddad', mailbox: 'leila.haddad', brigid: clinician('Staff nurse, MED 3A') },
  priya: { name: 'Priya Nair', mailbox: 'priya.nair', brigid: clinician('Night pharmacist') },
  elena: { name: 'Elena Duarte', mailbox: 'elena.duarte', brigid: chargeNurse('Midwife, MAT') },
  samuel: { name: 'Dr. Samuel Obi', mailbox: 'samuel.obi', brigid: clinician('Surgeon, SUR 2B') },
  owen: {
    name: 'Owen Hart',
    mailbox: 'owen.hart',
    brigid: { title: 'House supervisor', roles: ['houseSupervisor'] },
  },
  ben: { name: 'Ben Whitlock', mailbox: 'ben.whitlock', brigid: clinician('Biochemist') },
  hana: { name: 'Hana Sorensen', mailbox: 'hana.sorensen', brigid: clinician('Radiographer') },
  kofi: { name: 'Kofi Danso', mailbox: 'kofi.danso', brigid: chargeNurse('Charge nurse, ICU') },
  yusuf: { name: 'Dr. Yusuf Demir', mailbox: 'yusuf.demir', brigid: clinician('Physician, ED') },
  ines: { name: 'Ines Carvalho', mailbox: 'ines.carvalho', brigid: chargeNurse('Charge nurse, PED') },
  clara: { name: 'Clara Winther', mailbox: 'clara.winther', brigid: chargeNurse('Charge nurse, ONC') },
  grace: { name: 'Grace Adeyemi', mailbox: 'grace.adeyemi', brigid: clinician('Physiotherapist') },
  bridget: { name: 'Bridget Nolan', mailbox: 'bridget.nolan', brigid: clinician('Discharge coordinator') },
  marek: { name: 'Marek Zelenka', mailbox: 'marek.zelenka', brigid: clinician('Equipment and porters') },
  tomas: {
    name: 'Dr. Tomas Lindqvist',
    mailbox: 'tomas.lindqvist',
    harbour: { title: 'Clinic physician', roles: ['clinician', 'censusOfficer'] },
  },
  petra: { name: 'Petra Hollander', mailbox: 'petra.hollander', harbour: clinician('Practice nurse') },
} as const satisfies Record<string, DemoPerson>;

export type PersonKey = keyof typeof PEOPLE;
export const peopleEntries = Object.entries(PEOPLE) as [PersonKey, DemoPerson][];

/** The account of a person of the demo. */
export function idOf(ids: ReadonlyMap<PersonKey, string>, key: PersonKey): string {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`${key} has no account`);
  return id;
}
