/** A part of a picture, in its own pixels. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const sidePx = 512;
const quality = 0.9;

/** The picture in a file, turned upright. Rejects where the file is none. */
export async function openPicture(file: Blob): Promise<ImageBitmap> {
  return await createImageBitmap(file);
}

/** Draws a part of the picture over the whole canvas; on white, because JPEG knows no transparency. */
export function drawPart(picture: CanvasImageSource, { x, y, width, height }: Area, canvas: HTMLCanvasElement): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height);
}

/** The part as a square JPEG of 512 px, without anything else that the file said (place, camera). */
export function cutPicture(picture: CanvasImageSource, area: Area): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = sidePx;
  canvas.height = sidePx;
  drawPart(picture, area, canvas);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The picture could not be cropped.')) : resolve(blob)),
      'image/jpeg',
      quality,
    );
  });
}
