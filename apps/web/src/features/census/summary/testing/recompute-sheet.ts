/**
 * Works out every rate of a printed sheet from the other figures on it, with nothing of the product but the paper: its own
 * reading of numbers, its own arithmetic. Answers the lines that cannot be had again, or come out otherwise.
 */
export function wrongRates(sheet: HTMLElement): string[] {
  return [
    ...linesOf(sheet).flatMap(wrongLine),
    ...wrongUnits(sheet),
    ...wrongRows(sheet),
    ...wrongList(sheet),
    ...wrongSentences(sheet),
  ];
}

interface SheetLine {
  readonly label: string;
  readonly figure: string;
  readonly from: string;
}

/** The lines of the tables that say from what a figure is made. */
export function linesOf(sheet: HTMLElement): SheetLine[] {
  return [...sheet.querySelectorAll('table')].flatMap((table) => {
    const heads = [...table.querySelectorAll('thead tr:last-child > *')].map(textOf);
    const from = heads.indexOf('From');
    if (from === -1) return [];
    return [...table.querySelectorAll('tbody tr')]
      .filter(({ children }) => children.length === heads.length)
      .map(({ children }) => ({
        label: textOf(children[0]),
        // A unit may stand in a column of its own.
        figure: [...children].slice(1, from).map(textOf).join(' '),
        from: textOf(children[from]),
      }));
  });
}

const textOf = (element: Element | undefined): string => element?.textContent?.trim() ?? '';
const isRate = (figure: string): boolean => /\d\.\d|%/.test(figure);

function wrongLine({ label, figure, from }: SheetLine): string[] {
  const told = figure.replaceAll('*', '').trim();
  if (told.startsWith('–')) return [];
  const terms = readTerms(from);
  const isMade = terms.some((term) => '+−×÷'.includes(term));
  if (!isMade) return isRate(told) ? [`${label}: ${told} is made of nothing that is printed`] : [];
  const made = evaluate(terms);
  const again = made === null ? '–' : asPrinted(made, told);
  return again === told ? [] : [`${label}: ${told} printed, ${from} is ${again}`];
}

/** Numbers, signs and brackets of a line; its words are left out. */
function readTerms(text: string): string[] {
  return text.replaceAll('under 48 h', '').match(/\d[\d,]*(?:\.\d+)?|[+−×÷()]/g) ?? [];
}

interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/** Sums of products, brackets first; null where something is divided by nothing. */
function evaluate(terms: string[]): Fraction | null {
  const rest = [...terms];
  const sum = (): Fraction => {
    let value = product();
    while (rest[0] === '+' || rest[0] === '−') {
      const sign = rest.shift() === '+' ? 1n : -1n;
      const next = product();
      value = { over: value.over * next.under + sign * next.over * value.under, under: value.under * next.under };
    }
    return value;
  };
  const product = (): Fraction => {
    let value = single();
    while (rest[0] === '×' || rest[0] === '÷') {
      const isTimes = rest.shift() === '×';
      const { over, under } = single();
      value = isTimes
        ? { over: value.over * over, under: value.under * under }
        : { over: value.over * under, under: value.under * over };
    }
    return value;
  };
  const single = (): Fraction => {
    const term = rest.shift() ?? '0';
    if (term !== '(') return fractionOf(term);
    const value = sum();
    rest.shift();
    return value;
  };
  const value = sum();
  return value.under === 0n ? null : value;
}

function fractionOf(text: string): Fraction {
  const [whole = '0', decimals = ''] = text.replaceAll(',', '').split('.');
  return { over: BigInt(whole + decimals), under: 10n ** BigInt(decimals.length) };
}

/** With as many decimals and the unit that stand on paper; a half goes away from zero. */
function asPrinted({ over, under }: Fraction, told: string): string {
  const [, number = '', unit = ''] = /^(−?[\d,.]+)(.*)$/.exec(told) ?? [];
  const places = number.split('.')[1]?.length ?? 0;
  const isNegative = over < 0n !== under < 0n;
  const [part, whole] = [over < 0n ? -over : over, under < 0n ? -under : under];
  const scaled = part * 10n ** BigInt(places) * (unit.includes('%') ? 100n : 1n);
  const digits = ((2n * scaled + whole) / (2n * whole)).toString().padStart(places + 1, '0');
  const [front, back] = places === 0 ? [digits, ''] : [digits.slice(0, -places), `.${digits.slice(-places)}`];
  const text = `${front.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${back}`;
  return `${isNegative && /[1-9]/.test(text) ? '−' : ''}${text}${unit}`;
}

/** The day's table of units: the share beside the service days and beds of its row. */
function wrongUnits(sheet: HTMLElement): string[] {
  return [...sheet.querySelectorAll('table')].flatMap((table) => {
    const heads = [...table.querySelectorAll('thead tr:last-child > *')].map(textOf);
    const share = heads.indexOf('Occ. %');
    if (share === -1) return [];
    return [...table.querySelectorAll('tbody tr')].flatMap(({ children }) => {
      const cells = [...children].map(textOf);
      const from = `${cells[heads.indexOf('Service days')]} ÷ ${cells[share - 1]}`;
      const line = { label: cells[0] ?? '', figure: `${cells[share]} %`, from };
      return cells[share] === '–' ? [] : wrongLine(line);
    });
  });
}

/** What a figure of the day's table, or of a unit's sheet, must be made of by the others beside it. */
const MADE: ReadonlyArray<readonly [figure: readonly string[], from: string]> = [
  [['Closing'], 'Opening + Admissions + Births + Transfers in − Discharges − Deaths − Transfers out'],
  [['Var.', 'Variance of the head count'], 'Head count − (Closing − On leave)'],
  [['Present'], 'Closing − On leave'],
  [['Service days', 'Inpatient service days'], '(Closing − On leave) + Admitted and discharged same day'],
];

/** The short heads of the day's table in the words of the unit's sheet. */
const SHORT: Readonly<Record<string, string>> = {
  'Adm.': 'Admissions',
  'Trf in': 'Transfers in',
  'Disch.': 'Discharges',
  'Trf out': 'Transfers out',
  Leave: 'On leave',
  'Same day': 'Admitted and discharged same day',
  Counted: 'Head count',
};

function wrongRows(sheet: HTMLElement): string[] {
  return [...sheet.querySelectorAll('table')].flatMap((table) => {
    const heads = [...table.querySelectorAll('thead tr:last-child > *')].map(textOf);
    if (!heads.includes('Opening')) return [];
    return [...table.querySelectorAll('tbody tr, tfoot tr')].flatMap(({ children }) => {
      const figures = heads.map((head, place) => [SHORT[head] ?? head, textOf(children[place])] as const);
      return wrongFigures(textOf(children[0]), new Map(figures));
    });
  });
}

/** A unit's own sheet: a figure a line. */
function wrongList(sheet: HTMLElement): string[] {
  return [...sheet.querySelectorAll('table')].flatMap((table) => {
    const rows = [...table.querySelectorAll('tbody tr')];
    const figures = new Map(rows.map(({ children }) => [textOf(children[0]), textOf(children[1])]));
    return figures.has('Present') ? wrongFigures(sheet.getAttribute('aria-label') ?? '', figures) : [];
  });
}

function wrongFigures(label: string, figures: ReadonlyMap<string, string>): string[] {
  return MADE.flatMap(([names, made]) => {
    const name = names.find((one) => figures.has(one));
    const told = (name === undefined ? undefined : figures.get(name)) ?? '–';
    // Births stand on the sheets of newborns alone.
    const from = made.replaceAll(/[A-Z][a-z ]+[a-z]/g, (word) =>
      (figures.get(word) ?? '0').replace(/^−(.*)$/, '(0 − $1)'),
    );
    if (told === '–' || from.includes('–')) return [];
    return wrongLine({ label: `${label}, ${name}`, figure: told.replace('+', ''), from });
  });
}

/** '40.00 (40 ÷ 1 day)' in a note, and '3 of 4 reports, 75.00 %' at the foot. */
function wrongSentences(sheet: HTMLElement): string[] {
  const notes = [...sheet.querySelectorAll('p')].map(textOf);
  return notes.flatMap((text) => [
    ...[...text.matchAll(/([\d,.]+)\*? \(([^()]*÷[^()]*)\)/g)].flatMap(([label, figure = '', from = '']) =>
      wrongLine({ label, figure, from }),
    ),
    ...[...text.matchAll(/([\d,]+) of ([\d,]+) reports?, ([\d,.]+ %)/g)].flatMap(([label, one, all, figure = '']) =>
      wrongLine({ label, figure, from: `${one} ÷ ${all}` }),
    ),
    // A rate in a sentence that says nothing of what it is made.
    ...[...text.matchAll(/(?:children|newborn) ([\d,]+\.\d+)(?![\d*]|\*? \()/g)].map(
      ([label]) => `${label} has no figures`,
    ),
  ]);
}
