/** What a message of a test says; what is left out is as usual. */
export interface SaidResult {
  readonly control?: string;
  /** YYYYMMDDHHMMSS, in UTC. */
  readonly at?: string;
  readonly mrn?: string;
  readonly born?: string;
  readonly name?: string;
  readonly filler?: string;
  readonly placer?: string;
  readonly visit?: string;
  readonly status?: string;
  /** Whole OBX segments, without their number: `NM|2823-3^Potassium^LN||7.1|mmol/L|3.5-5.3|HH|||F`. */
  readonly findings?: readonly string[];
  /** Segments at the end. */
  readonly more?: readonly string[];
}

let sent = 0;

export const POTASSIUM = 'NM|2823-3^Potassium^LN||7.1|mmol/L|3.5-5.3|HH|||F';

/** An unsolicited result, as a laboratory sends it. */
export function oru(said: SaidResult = {}): string {
  const { control = `L${++sent}`, at = '20261119101500', mrn = '40-118-236', born = '19480314' } = said;
  const { name = 'Maron^Edith', filler = 'F-1001', placer = '', visit = '', status = 'F' } = said;
  const findings = said.findings ?? [POTASSIUM];
  return [
    `MSH|^~\\&|LIS|CORELAB|WARDLINE|H1|${at}+0000||ORU^R01^ORU_R01|${control}|P|2.5.1`,
    `PID|1||${mrn}^^^H1^MR||${name}||${born}|F`,
    `PV1|1|I|MED 3A^12^1||||||||||||||||${visit}`,
    `ORC|RE|${placer}|${filler}`,
    `OBR|1|${placer}|${filler}|24321-2^Renal profile^LN|||${at}+0000|||||||||||||||${at}+0000|||${status}`,
    ...findings.map((finding, index) => `OBX|${index + 1}|${finding}`),
    ...(said.more ?? []),
  ].join('\r');
}
