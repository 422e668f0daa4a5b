export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'];

const largestMb = 20;
const bytesPerMb = 1024 * 1024;

/** Why a file cannot become a picture, or null. What is sent is cut out and small, so the file itself may be large. */
export function pictureTrouble({ type, size }: Pick<File, 'type' | 'size'>): string | null {
  if (!pictureTypes.includes(type)) return 'Choose a JPEG, PNG or WebP picture.';
  if (size > largestMb * bytesPerMb) return `Choose a picture of at most ${largestMb} MB.`;
  return null;
}
