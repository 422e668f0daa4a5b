/** A cell by its place. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** A block of cells: where it began and where it is. */
export interface Range {
  readonly anchor: Place;
  readonly focus: Place;
}

export interface Size {
  readonly rows: number;
  readonly columns: number;
}

/** The corners of a block, the upper left and the lower right. */
export function cornersOf({ anchor, focus }: Range): { readonly first: Place; readonly last: Place } {
  return {
    first: { row: Math.min(anchor.row, focus.row), column: Math.min(anchor.column, focus.column) },
    last: { row: Math.max(anchor.row, focus.row), column: Math.max(anchor.column, focus.column) },
  };
}

export function isInside(range: Range, { row, column }: Place): boolean {
  const { first, last } = cornersOf(range);
  return row >= first.row && row <= last.row && column >= first.column && column <= last.column;
}

/** Every cell of a block, row by row. */
export function placesOf(range: Range): Place[] {
  const { first, last } = cornersOf(range);
  const width = last.column - first.column + 1;
  return Array.from({ length: (last.row - first.row + 1) * width }, (_, index) => ({
    row: first.row + Math.floor(index / width),
    column: first.column + (index % width),
  }));
}

/** Where an arrow, Home, End or a page key leads, inside the grid; null for any other key. */
export function moved(
  from: Place,
  { key, isCtrl }: { key: string; isCtrl: boolean },
  { rows, columns }: Size,
): Place | null {
  const inside = ({ row, column }: Place): Place => ({
    row: Math.max(0, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, column)),
  });
  switch (key) {
    case 'ArrowUp':
      return inside({ ...from, row: isCtrl ? 0 : from.row - 1 });
    case 'ArrowDown':
      return inside({ ...from, row: isCtrl ? rows : from.row + 1 });
    case 'ArrowLeft':
      return inside({ ...from, column: isCtrl ? 0 : from.column - 1 });
    case 'ArrowRight':
      return inside({ ...from, column: isCtrl ? columns : from.column + 1 });
    case 'Home':
      return isCtrl ? { row: 0, column: 0 } : { ...from, column: 0 };
    case 'End':
      return inside({ row: isCtrl ? rows : from.row, column: columns });
    default:
      return null;
  }
}

/** The next cell in reading order; null past the last, where Tab leaves the grid. */
export function tabbed({ row, column }: Place, isBack: boolean, { rows, columns }: Size): Place | null {
  const index = row * columns + column + (isBack ? -1 : 1);
  if (index < 0 || index >= rows * columns) return null;
  return { row: Math.floor(index / columns), column: index % columns };
}

/** A block as a spreadsheet takes it: tabs between cells, line breaks between rows. */
export function toTabs(range: Range, textAt: (place: Place) => string): string {
  const { first, last } = cornersOf(range);
  const lines: string[] = [];
  for (let row = first.row; row <= last.row; row += 1) {
    const cells: string[] = [];
    for (let column = first.column; column <= last.column; column += 1) cells.push(quoted(textAt({ row, column })));
    lines.push(cells.join('\t'));
  }
  return lines.join('\n');
}

function quoted(text: string): string {
  return /[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Which text goes into which cell: the block as copied from the first cell on, or one text into every chosen cell. */
export function pasteInto(range: Range, cells: readonly (readonly string[])[], { rows, columns }: Size) {
  const only = cells.length === 1 && cells[0]?.length === 1 ? cells[0][0] : undefined;
  if (only !== undefined) return { texts: placesOf(range).map((place) => ({ place, text: only })), lost: 0 };
  const { first } = cornersOf(range);
  const all = cells.flatMap((line, row) =>
    line.map((text, column) => ({ place: { row: first.row + row, column: first.column + column }, text })),
  );
  const texts = all.filter(({ place }) => place.row < rows && place.column < columns);
  return { texts, lost: all.length - texts.length };
}

/** The texts of the first row of a block in every row below it. */
export function filledDown(range: Range, textAt: (place: Place) => string) {
  const { first } = cornersOf(range);
  return placesOf(range)
    .filter(({ row }) => row > first.row)
    .map((place) => ({ place, text: textAt({ row: first.row, column: place.column }) }));
}
