import 'react-easy-crop/react-easy-crop.css';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Progress } from '@wardline/ui/progress/progress.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useEffect, useId, useRef, useState } from 'react';
import Cropper from 'react-easy-crop';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { type Area, cutPicture, drawPart, openPicture } from './cut-picture.ts';
import { useAvatarUpload } from './use-avatar-upload.ts';

export interface CropDialogProps {
  readonly file: File;
  /** The new picture is stored. */
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

const previewPx = 96;

/** Cuts a square out of a picture and sends it. */
export function CropDialog({ file, onChanged, onClose }: CropDialogProps) {
  const picture = usePicture(file);
  const [area, setArea] = useState<Area | null>(null);
  const upload = useAvatarUpload(async () => {
    await onChanged();
    onClose();
    sayDone('Picture saved');
  });
  const isSending = upload.progress !== null;
  const send = () => {
    if (picture.status === 'open' && area !== null) upload.send(() => cutPicture(picture.bitmap, area));
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => {
        if (isOpen) return;
        upload.cancel();
        onClose();
      }}
      closesOutside={false}
      title="Crop the picture"
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={isSending ? upload.cancel : onClose}>
            {isSending ? 'Cancel upload' : 'Cancel'}
          </Button>
          <Button disabled={area === null} isLoading={isSending} onClick={send}>
            Use this picture
          </Button>
        </>
      }
    >
      {picture.status === 'loading' && <Skeleton shape="text" label="Opening the picture" />}
      {picture.status === 'failed' && <Banner tone="error">This file can’t be opened as a picture.</Banner>}
      {picture.status === 'open' && (
        <Cutter url={picture.url} bitmap={picture.bitmap} area={area} onArea={setArea} isFixed={isSending} />
      )}
      {upload.error !== null && <Banner tone="error">{upload.error}</Banner>}
      {isSending && <Progress label="Uploading the picture" value={upload.progress} max={1} hasStatus />}
    </Dialog>
  );
}

interface CutterProps {
  readonly url: string;
  readonly bitmap: ImageBitmap;
  readonly area: Area | null;
  readonly onArea: (area: Area) => void;
  readonly isFixed: boolean;
}

function Cutter({ url, bitmap, area, onArea, isFixed }: CutterProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const preview = useRef<HTMLCanvasElement>(null);
  const zoomId = useId();
  useEffect(() => {
    if (area !== null && preview.current !== null) drawPart(bitmap, area, preview.current);
  }, [bitmap, area]);
  return (
    <div className="stack stack-4" inert={isFixed}>
      <div className="cut-stage">
        <Cropper
          image={url}
          crop={crop}
          zoom={zoom}
          aspect={1}
          cropShape="round"
          showGrid={false}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_percent, pixels) => onArea(pixels)}
          // Its own way is a style element, which the content policy refuses.
          disableAutomaticStylesInjection
          cropperProps={{ role: 'group', 'aria-label': 'Crop area; move it with the arrow keys' }}
          mediaProps={{ alt: '' }}
        />
      </div>
      <div className="row row-4">
        <canvas
          ref={preview}
          className="cut-preview"
          width={previewPx}
          height={previewPx}
          aria-label="Preview"
          role="img"
        />
        <div className="field grow">
          <label className="label" htmlFor={zoomId}>
            Zoom
          </label>
          <input
            id={zoomId}
            className="set-range"
            type="range"
            min={1}
            max={3}
            step={0.05}
            value={zoom}
            onChange={(event) => setZoom(Number(event.target.value))}
          />
        </div>
      </div>
    </div>
  );
}

type PictureState =
  | { readonly status: 'loading' | 'failed' }
  | { readonly status: 'open'; readonly bitmap: ImageBitmap; readonly url: string };

/** The picture in a file, for as long as it is shown. */
function usePicture(file: File): PictureState {
  const [picture, setPicture] = useState<PictureState>({ status: 'loading' });
  useEffect(() => {
    let isOver = false;
    let opened: ImageBitmap | null = null;
    const url = URL.createObjectURL(file);
    setPicture({ status: 'loading' });
    openPicture(file).then(
      (bitmap) => {
        if (isOver) return bitmap.close();
        opened = bitmap;
        setPicture({ status: 'open', bitmap, url });
      },
      () => isOver || setPicture({ status: 'failed' }),
    );
    return () => {
      isOver = true;
      URL.revokeObjectURL(url);
      opened?.close();
    };
  }, [file]);
  return picture;
}
