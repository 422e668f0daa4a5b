/** Digits, a dash and the check digit. */
const WRITTEN = /^(\d{1,7})-(\d)$/;

/** Whether a text is written as a LOINC code is, its check digit included (LOINC Users' Guide, appendix C: mod 10). */
export function isLoinc(text: string): boolean {
  const [, number = '', digit = ''] = WRITTEN.exec(text) ?? [];
  return number !== '' && checkDigit(number) === Number(digit);
}

function checkDigit(number: string): number {
  const doubled = [...number].reverse().map((digit, index) => (index % 2 === 0 ? Number(digit) * 2 : Number(digit)));
  const sum = doubled.reduce((total, digit) => total + Math.floor(digit / 10) + (digit % 10), 0);
  return (10 - (sum % 10)) % 10;
}

/** What is usually measured at a ward, by LOINC code: a UCUM unit of the property that the code stands for. */
const UNITS: Readonly<Record<string, string>> = {
  // Moles in a volume, and masses in one.
  ...{ '2823-3': 'mmol/L', '2951-2': 'mmol/L', '2075-0': 'mmol/L', '1963-8': 'mmol/L', '22664-7': 'mmol/L' },
  ...{ '14682-9': 'umol/L', '14749-6': 'mmol/L', '2524-7': 'mmol/L', '2000-8': 'mmol/L', '14631-6': 'umol/L' },
  ...{ '2160-0': 'mg/dL', '2345-7': 'mg/dL', '3094-0': 'mg/dL', '1975-2': 'mg/dL', '17861-6': 'mg/dL' },
  ...{ '718-7': 'g/L', '1751-7': 'g/L', '1988-5': 'mg/L', '30934-4': 'pg/mL', '48065-7': 'ug/L' },
  // Cells in a volume, shares and times of clotting.
  ...{ '6690-2': '10*9/L', '777-3': '10*9/L', '789-8': '10*12/L', '4544-3': '%', '2708-6': '%', '59408-5': '%' },
  ...{ '5902-2': 's', '14979-9': 's' },
  // Vital signs.
  ...{ '9279-1': '/min', '8867-4': '/min', '8480-6': 'mm[Hg]', '8462-4': 'mm[Hg]', '8310-5': 'Cel' },
  ...{ '3151-8': 'L/min', '29463-7': 'kg', '8302-2': 'cm', '39156-5': 'kg/m2', '9269-2': '{score}' },
  // Of an ECG.
  ...{ '8625-6': 'ms', '8633-0': 'ms', '8634-8': 'ms', '8636-3': 'ms', '8632-2': 'deg' },
  // Gases in the blood.
  ...{ '2744-1': '[pH]', '2019-8': 'mm[Hg]', '2703-7': 'mm[Hg]' },
};

/** A unit of what a LOINC code measures, where Wardline knows it. */
export function unitOfLoinc(loinc: string): string | null {
  return Object.hasOwn(UNITS, loinc) ? (UNITS[loinc] ?? null) : null;
}

/** A unit as UCUM writes it, and as people do. */
export interface NamedUnit {
  readonly code: string;
  readonly label: string;
}

const alike = (...codes: string[]): NamedUnit[] => codes.map((code) => ({ code, label: code }));

/** Units that findings are usually measured in, to choose from; each is one of UCUM's, which a test of the server holds it to. */
export const COMMON_UNITS: readonly NamedUnit[] = [
  ...alike('mmol/L'),
  { code: 'umol/L', label: 'µmol/L' },
  ...alike('nmol/L', 'pmol/L', 'g/L', 'g/dL', 'mg/dL', 'mg/L'),
  { code: 'ug/L', label: 'µg/L' },
  ...alike('ng/mL', 'pg/mL', 'U/L'),
  { code: '[iU]/L', label: 'IU/L' },
  { code: 'm[iU]/L', label: 'mIU/L' },
  { code: '10*9/L', label: '10⁹/L' },
  { code: '10*12/L', label: '10¹²/L' },
  ...alike('%', '/min'),
  { code: 'mm[Hg]', label: 'mmHg' },
  ...alike('kPa'),
  { code: 'cm[H2O]', label: 'cmH₂O' },
  { code: 'Cel', label: '°C' },
  { code: '[degF]', label: '°F' },
  ...alike('L/min', 'mL/h', 'mL/min', 'mL', 'L', 'mL/kg', 'kg', 'g', 'mg', 'cm', 'mm', 'm', 'kg/m2'),
  { code: 'm2', label: 'm²' },
  { code: 'deg', label: '°' },
  ...alike('ms', 's', 'min', 'h', 'd', 'mV'),
  { code: '{score}', label: 'points' },
  { code: '[pH]', label: 'pH' },
  { code: '1', label: 'ratio' },
];
