/** The address of a picture that cannot be shown, and for which no request fails. */
export const brokenPicture = URL.createObjectURL(new Blob(['no picture'], { type: 'image/png' }));
