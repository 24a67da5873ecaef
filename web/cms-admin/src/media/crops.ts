type Picture = { width: number; height: number; focalX: number; focalY: number }

export type Crop = { left: number; top: number; width: number; height: number }

/** The part that a shape keeps of a picture, in pixels: as the service cuts it, the focal point as near to the middle as can be. */
export const cropOf = ({ width, height, focalX, focalY }: Picture, ratio: number): Crop => {
  const isWider = width > height * ratio
  const kept = { width: isWider ? height * ratio : width, height: isWider ? height : width / ratio }
  return {
    ...kept,
    left: within(focalX * width - kept.width / 2, width - kept.width),
    top: within(focalY * height - kept.height / 2, height - kept.height),
  }
}

/** The CSS position of a picture that covers a box of this shape. */
export const cropPosition = (picture: Picture, ratio: number): string => {
  const { left, top, width, height } = cropOf(picture, ratio)
  return `${share(left, picture.width - width)}% ${share(top, picture.height - height)}%`
}

/** A focal point after a step of the arrow keys: 1 %, never over the edge. */
export const movedFocal = (at: number, steps: number): number => toHundredths(at + steps * STEP)

export const toHundredths = (at: number): number => Math.min(1, Math.max(0, Math.round(at * 100) / 100))

const STEP = 0.01

const within = (at: number, most: number): number => Math.min(Math.max(0, at), Math.max(0, most))

const share = (at: number, room: number): number => (room <= 0 ? 50 : Math.round((at / room) * 10_000) / 100)
