import fc from 'fast-check';

const TRIGGERS = 'A01 A02 A03 A04 A06 A07 A08 A11 A12 A13 A17 A20 A21 A22 A40 A52 A53 A99'.split(' ');
/** What senders write where a value is expected, and what nobody should. */
const ODD = fc.oneof(
  fc.constantFrom(
    '',
    '""',
    '^',
    '~',
    '&',
    '\\',
    '\\T\\',
    '\\E\\',
    '^^^',
    '20',
    'I',
    'N',
    'K',
    'MED 3A',
    'ICU^1^1',
    '\u0000',
  ),
  fc.constantFrom('00000000', '20270229', '99991231', '99991231235959-1400', '19000101+1400', '20261101013000', '2026'),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 5 }).map((text) => text.repeat(200)),
);
const SEPARATORS = fc.constantFrom('|^~\\&', '|^~\\&#', '#*~!&', '|||||', '\\\\\\\\\\', 'ABCDE');

/** Messages of which some fields are not what they should be; many can be read all the same. */
export const garbledAdt: fc.Arbitrary<string> = fc
  .record({
    trigger: fc.constantFrom(...TRIGGERS),
    separators: fc.oneof({ weight: 3, arbitrary: fc.constant('|^~\\&') }, SEPARATORS),
    names: fc.oneof(
      { weight: 3, arbitrary: fc.constant(['MSH', 'EVN', 'PID', 'PV1', 'MRG']) },
      fc.constant(['MSH', 'evn', 'PID', 'PV1', 'MRG']),
    ),
    spoilt: fc.array(fc.tuple(fc.nat(4), fc.nat(44), ODD), { maxLength: 4 }),
    ending: fc.constantFrom('\r', '\n', '\r\n', '\r\r'),
    more: fc.constantFrom(
      [],
      ['NPU|ICU^9^2|K'],
      ['PID|2||P2', 'PV1|2|I|ICU^2^1||||||||||||||||V2'],
      ['ZZZ|1', '', '|'],
    ),
  })
  .map(({ trigger, separators, names, spoilt, ending, more }) => {
    const at = '20261119231000+0800';
    const fields: string[][] = [
      ['ADT', 'H1', 'CENSUS', 'H1', at, '', `ADT^${trigger}`, 'C1', 'P', '2.5.1'],
      [trigger, at, '', '', '', at],
      ['1', '', 'P1^^^H1^MR'],
      ['1', 'I', 'MED 3A^201^1', '', '', 'ICU^1^1', ...Array<string>(12).fill(''), 'V1'],
      ['P9', '', '', '', 'V9'],
    ].map((segment) => [...segment]);
    for (const [segment, field, text] of spoilt) {
      const given = fields[segment] ?? [];
      while (given.length <= field) given.push('');
      given[field] = text;
    }
    const separator = separators.slice(0, 1);
    const lines = fields.map((given, index) => {
      const name = names[index] ?? '';
      return index === 0
        ? `${name}${separators}${separator}${given.join(separator)}`
        : [name, ...given].join(separator);
    });
    return [...lines, ...more].join(ending);
  });
