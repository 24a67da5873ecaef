/** Pieces of drawings. Everything is made of numbers: the same picture comes out on every machine. */

export type Size = { width: number; height: number }
export type Point = readonly [x: number, y: number]

export const WIDE: Size = { width: 1280, height: 800 }
export const SQUARE: Size = { width: 640, height: 640 }

/** Numbers from 0 to 1 that look drawn by lot, and are the same for the same seed. */
export const lots = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const drawing = ({ width, height }: Size, ...parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${parts.join('')}</svg>`

/** A background that changes its color from top to bottom. */
export const backdrop = ({ width, height }: Size, colours: readonly string[], id = 'backdrop'): string =>
  `${gradient(id, colours)}<rect width="${width}" height="${height}" fill="url(#${id})"/>`

export const gradient = (id: string, colours: readonly string[]): string => {
  const stops = colours.map(
    (colour, index) => `<stop offset="${index / (colours.length - 1)}" stop-color="${colour}"/>`,
  )
  return `<defs><linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops.join('')}</linearGradient></defs>`
}

/** Light around a point. */
export const glow = ([x, y]: Point, radius: number, colour: string, id: string): string =>
  `<defs><radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="0.9"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient></defs>${disc([x, y], radius, `url(#${id})`)}`

export const disc = ([x, y]: Point, radius: number, fill: string, opacity = 1): string =>
  `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="${fixed(radius)}" fill="${fill}" opacity="${opacity}"/>`

export const box = (
  [x, y]: Point,
  { width, height }: Size,
  fill: string,
  { round = 0, opacity = 1 }: { round?: number; opacity?: number } = {},
): string =>
  `<rect x="${fixed(x)}" y="${fixed(y)}" width="${fixed(width)}" height="${fixed(height)}" rx="${round}" fill="${fill}" opacity="${opacity}"/>`

/** The points are written as in SVG: `0,0 10,20`. */
export const shape = (points: string, fill: string, opacity = 1): string =>
  `<polygon points="${points}" fill="${fill}" opacity="${opacity}"/>`

export const path = (d: string, fill: string, opacity = 1): string =>
  `<path d="${d}" fill="${fill}" opacity="${opacity}"/>`

export const line = (d: string, colour: string, width: number, opacity = 1): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" opacity="${opacity}"/>`

type Ridge = { top: number; height: number; steps: number; seed: number; fill: string; opacity?: number }

/** Hills or waves from edge to edge, with everything below them filled. */
export const ridge = (
  { width, height }: Size,
  { top, height: swing, steps, seed, fill, opacity = 1 }: Ridge,
): string => {
  const next = lots(seed)
  const step = width / steps
  const points = Array.from({ length: steps + 1 }, (_, index) => `${index * step},${fixed(top + next() * swing)}`)
  return path(`${smooth(points.join(' '))} L${width},${height} L0,${height} Z`, fill, opacity)
}

/** A line through all points without corners. */
export const smooth = (points: string): string => {
  const places = points.split(' ').map((point) => point.split(',').map(Number))
  return places.reduce((d, [x = 0, y = 0], index) => {
    if (index === 0) return `M${fixed(x)},${fixed(y)}`
    const [beforeX = x, beforeY = y] = places[index - 1] ?? []
    const middle = fixed((beforeX + x) / 2)
    return `${d} C${middle},${fixed(beforeY)} ${middle},${fixed(y)} ${fixed(x)},${fixed(y)}`
  }, '')
}

/** Light on water: short strokes below something bright. */
export const glitter = ([x, top]: Point, { width, height }: Size, colour: string, seed: number): string => {
  const next = lots(seed)
  return Array.from({ length: 34 }, (_, index) => {
    const depth = index / 34
    const length = 18 + depth * width * 0.5 * (0.4 + next())
    const left = x - length / 2 + (next() - 0.5) * width * (0.25 + depth * 0.6)
    const y = top + depth * height
    return box([left, y], { width: length, height: 2 + depth * 4 }, colour, { round: 3, opacity: 0.18 + next() * 0.35 })
  }).join('')
}

/** A boat with one mast; the point is where it meets the water. */
export const boat = ([x, y]: Point, size: number, { hull, sail }: { hull: string; sail: string }): string => {
  const at = (right: number, up: number): string => `${fixed(x + right * size)},${fixed(y - up * size)}`
  const keel = `M${at(-1, 0.28)} L${at(1, 0.34)} Q${at(0.75, 0)} ${at(0.45, 0)} L${at(-0.6, 0)} Q${at(-0.9, 0)} ${at(-1, 0.28)} Z`
  const main = `${at(-0.02, 2.2)} ${at(-0.02, 0.45)} ${at(-0.85, 0.42)}`
  const jib = `${at(0.06, 2)} ${at(0.06, 0.48)} ${at(0.8, 0.46)}`
  return `${shape(main, sail)}${shape(jib, sail, 0.75)}${path(keel, hull)}`
}

/** Short digits keep the text of a drawing small, and the same everywhere. */
const fixed = (value: number): string => String(Math.round(value * 10) / 10)
