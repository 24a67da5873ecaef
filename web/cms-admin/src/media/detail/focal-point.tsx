import { Button } from '@stoa/ui/button/button.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { cropPosition, movedFocal, toHundredths } from '../crops.ts'
import { checker } from '../media-thumb.tsx'
import { usePreviewSource } from '../preview.tsx'
import type { MediaRecord } from '../queries.ts'

type FocalPointProps = {
  media: MediaRecord
  x: number
  y: number
  disabled: boolean
  onPoint: (x: number, y: number) => void
}

const SHAPES = [
  { label: '1:1', ratio: 1, className: 'aspect-square' },
  { label: '16:9', ratio: 16 / 9, className: 'aspect-16/9' },
  { label: '4:5', ratio: 4 / 5, className: 'aspect-4/5' },
] as const

const CENTRE = 0.5

/** A picture with the point that crops keep, and what crops of common shapes make of it. */
export const FocalPoint = ({ media, x, y, disabled, onPoint }: FocalPointProps) => {
  const source = usePreviewSource(media)
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className={cx('flex justify-center overflow-hidden rounded-xl border border-line', checker)}>
        <Surface media={media} source={source} x={x} y={y} disabled={disabled} onPoint={onPoint} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 text-muted text-xs">
        <span>
          {disabled
            ? 'Stays visible when the image is cropped'
            : 'Click the part to keep when cropping, or use the arrow keys.'}
        </span>
        {disabled || (x === CENTRE && y === CENTRE) ? null : (
          <Button size="sm" variant="ghost" onClick={() => onPoint(CENTRE, CENTRE)}>
            Reset to center
          </Button>
        )}
      </div>
      <ul aria-label="Crops" className="grid grid-cols-[1fr_1.78fr_0.8fr] items-end gap-3">
        {SHAPES.map(({ label, ratio, className }) => (
          <li key={label} className="flex min-w-0 flex-col gap-1">
            <span className={cx('block w-full overflow-hidden rounded-md border border-line', className, checker)}>
              {source === undefined ? null : (
                <img
                  src={source}
                  alt=""
                  data-crop={label}
                  style={{ objectPosition: positionOf(media, x, y, ratio) }}
                  className="size-full object-cover"
                />
              )}
            </span>
            <span className="text-center text-2xs text-faint">{label}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const positionOf = ({ width, height }: MediaRecord, focalX: number, focalY: number, ratio: number) =>
  width === null || height === null ? undefined : cropPosition({ width, height, focalX, focalY }, ratio)

type SurfaceProps = FocalPointProps & { source: string | undefined }

const Surface = ({ media, source, x, y, disabled, onPoint }: SurfaceProps) => {
  const surface = useRef<HTMLDivElement>(null)
  const place = (event: PointerEvent) => {
    const box = surface.current?.getBoundingClientRect()
    if (!box || disabled || event.button !== 0) return
    onPoint(toHundredths((event.clientX - box.left) / box.width), toHundredths((event.clientY - box.top) / box.height))
  }
  return (
    <div
      ref={surface}
      onPointerDown={place}
      onPointerMove={(event) => {
        if (event.buttons === 1) place({ ...event, button: 0 })
      }}
      className={cx('relative max-h-120 touch-none select-none', !disabled && 'cursor-crosshair')}
    >
      {source === undefined ? (
        <span className="block aspect-16/9 w-full" />
      ) : (
        <img
          src={source}
          alt={media.alt}
          draggable={false}
          width={media.width ?? undefined}
          height={media.height ?? undefined}
          className="h-auto max-h-120 w-auto max-w-full"
        />
      )}
      <Point x={x} y={y} disabled={disabled} onPoint={onPoint} />
    </div>
  )
}

const Point = ({ x, y, disabled, onPoint }: Pick<FocalPointProps, 'x' | 'y' | 'disabled' | 'onPoint'>) => {
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (!step || disabled) return
    event.preventDefault()
    const far = event.shiftKey ? FAR : 1
    onPoint(movedFocal(x, step[0] * far), movedFocal(y, step[1] * far))
  }
  return (
    <button
      type="button"
      disabled={disabled}
      aria-label="Focal point"
      aria-describedby="focal-at"
      onKeyDown={move}
      style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
      className="absolute flex size-8 -translate-x-1/2 -translate-y-1/2 items-center justify-center rounded-full border-2 border-on-accent shadow-md outline outline-overlay focus-visible:outline-2 focus-visible:outline-ring"
    >
      <span className="size-1.5 rounded-full bg-on-accent outline outline-overlay" />
      <span id="focal-at" aria-live="polite" className="sr-only">
        {Math.round(x * 100)} % from the left, {Math.round(y * 100)} % from the top
      </span>
    </button>
  )
}

/** With Shift, ten steps at once. */
const FAR = 10

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
