/** A place on the globe for a reader: `53.34980° N, 6.26030° W`. */
export function placeWords(latitude: number, longitude: number): string {
  const north = `${Math.abs(latitude).toFixed(5)}° ${latitude < 0 ? 'S' : 'N'}`;
  const east = `${Math.abs(longitude).toFixed(5)}° ${longitude < 0 ? 'W' : 'E'}`;
  return `${north}, ${east}`;
}
