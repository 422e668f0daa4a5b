import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inRoot } from './paths.mjs';
import { red, say } from './say.mjs';

/** A pixel differs where a channel does by more: less is how the same letter is smoothed. */
const TOLERANCE = 16;

/**
 * Prints which pictures of two folders differ, and by how much of their area, the most first. False where a picture is in one of
 * them only.
 */
export async function compareScreens(before, after) {
  // The one that the server makes pictures with.
  const sharp = createRequire(inRoot('apps', 'server', 'package.json'))('sharp');
  const names = [...new Set([...picturesIn(before), ...picturesIn(after)])].sort();
  const found = [];
  for (const name of names) {
    const [one, other] = await Promise.all([before, after].map((folder) => pixelsOf(sharp, join(folder, name))));
    found.push({ name, ...(one && other ? compare(one, other) : { onlyIn: one ? before : after }) });
  }
  const missing = found.filter(({ onlyIn }) => onlyIn);
  const differing = found.filter(({ share }) => share > 0).sort((one, other) => other.share - one.share);
  for (const { name, share, size } of differing) say(`${(100 * share).toFixed(2).padStart(6)} %  ${name}${size}`);
  for (const { name, onlyIn } of missing) say(`${red('only in')} ${onlyIn}: ${name}`);
  const equal = found.length - differing.length - missing.length;
  say(`${found.length} pictures: ${equal} equal, ${differing.length} differ, ${missing.length} are in one folder only`);
  return missing.length === 0;
}

function picturesIn(folder) {
  return readdirSync(folder).filter((name) => name.endsWith('.png'));
}

function compare(one, other) {
  const [width, height] = [Math.max(one.width, other.width), Math.max(one.height, other.height)];
  let differing = width * height - Math.min(one.width, other.width) * Math.min(one.height, other.height);
  for (let y = 0; y < Math.min(one.height, other.height); y += 1) {
    for (let x = 0; x < Math.min(one.width, other.width); x += 1) {
      if (differs(one, other, x, y)) differing += 1;
    }
  }
  const isSameSize = one.width === other.width && one.height === other.height;
  const size = isSameSize ? '' : `, ${one.width}×${one.height} and ${other.width}×${other.height}`;
  return { share: differing / (width * height), size };
}

function differs(one, other, x, y) {
  const [at, otherAt] = [3 * (y * one.width + x), 3 * (y * other.width + x)];
  for (let channel = 0; channel < 3; channel += 1) {
    if (Math.abs(one.data[at + channel] - other.data[otherAt + channel]) > TOLERANCE) return true;
  }
  return false;
}

async function pixelsOf(sharp, path) {
  const read = await sharp(path)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => null);
  return read && { data: read.data, width: read.info.width, height: read.info.height };
}
