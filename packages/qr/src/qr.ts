import { bitsOf, dataCodewords, interleave, sizeOf, versionFor } from './codewords.ts'

/** A QR code (ISO/IEC 18004) as rows of modules; true is dark. Text as UTF-8 bytes, error correction level M. */
export const qrModules = (text: string): readonly (readonly boolean[])[] => {
  const bytes = [...new TextEncoder().encode(text)]
  const version = versionFor(bytes.length)
  const stream = interleave(version, dataCodewords(version, bytes))
  const masked = MASKS.map((mask, number) => draw(version, stream, mask, number))
  return masked.reduce((best, next) => (penalty(next) < penalty(best) ? next : best))
}

type Mask = (x: number, y: number) => boolean
type Canvas = { modules: boolean[][]; fixed: boolean[][] }

const MASKS: readonly Mask[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

const draw = (version: number, stream: readonly number[], mask: Mask, number: number): boolean[][] => {
  const canvas = blank(version)
  drawFormat(canvas, number)
  const size = sizeOf(version)
  const bits = stream.flatMap((word) => bitsOf(word, 8))
  let next = 0
  // Two columns at a time from the right, up and down in turns; column 6 is the timing
  for (let right = size - 1; right >= 1; right -= right === 8 ? 3 : 2) {
    for (let step = 0; step < size; step += 1) {
      const y = ((right + 1) & 2) === 0 ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (canvas.fixed[y]?.[x]) continue
        paint(canvas.modules, x, y, (bits[next] === 1) !== mask(x, y))
        next += 1
      }
    }
  }
  return canvas.modules
}

const paint = (grid: boolean[][], x: number, y: number, value: boolean): void => {
  const row = grid[y]
  if (row && x >= 0 && x < row.length) row[x] = value
}

/** Finders, timing, alignment and version: what is the same for all masks. */
const blank = (version: number): Canvas => {
  const size = sizeOf(version)
  const grid = () => Array.from({ length: size }, () => new Array<boolean>(size).fill(false))
  const canvas = { modules: grid(), fixed: grid() }
  for (let index = 0; index < size; index += 1) {
    fix(canvas, 6, index, index % 2 === 0)
    fix(canvas, index, 6, index % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    drawSquare(canvas, x, y, 4, (ring) => ring !== 2 && ring !== 4)
  const places = alignmentPlaces(version)
  const last = places.length - 1
  for (const [row, y] of places.entries())
    for (const [column, x] of places.entries())
      if (!(row === 0 && column === 0) && !(row === 0 && column === last) && !(row === last && column === 0))
        drawSquare(canvas, x, y, 2, (ring) => ring !== 1)
  drawVersion(canvas, version)
  // Reserved here, written for each mask
  drawFormat(canvas, 0)
  return canvas
}

const fix = ({ modules, fixed }: Canvas, x: number, y: number, dark: boolean): void => {
  paint(modules, x, y, dark)
  paint(fixed, x, y, true)
}

/** Rings around a centre, as far as they are inside. */
const drawSquare = (canvas: Canvas, x: number, y: number, radius: number, isDark: (ring: number) => boolean): void => {
  for (let dy = -radius; dy <= radius; dy += 1)
    for (let dx = -radius; dx <= radius; dx += 1)
      fix(canvas, x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))))
}

const alignmentPlaces = (version: number): number[] => {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2
  const rest = Array.from({ length: count - 1 }, (_, index) => sizeOf(version) - 7 - index * step)
  return [6, ...rest.toReversed()]
}

/** A BCH code: the value followed by its remainder. */
const withRemainder = (value: number, degree: number, polynomial: number): number => {
  let rest = value
  for (let bit = 0; bit < degree; bit += 1) rest = (rest << 1) ^ ((rest >>> (degree - 1)) * polynomial)
  return (value << degree) | rest
}

const drawVersion = (canvas: Canvas, version: number): void => {
  if (version < 7) return
  const bits = withRemainder(version, 12, 0x1f25)
  for (let index = 0; index < 18; index += 1) {
    const dark = ((bits >>> index) & 1) === 1
    const far = canvas.modules.length - 11 + (index % 3)
    fix(canvas, far, Math.floor(index / 3), dark)
    fix(canvas, Math.floor(index / 3), far, dark)
  }
}

/** Level M is 0, so that the format is the number of the mask. */
const drawFormat = (canvas: Canvas, mask: number): void => {
  const bits = withRemainder(mask, 10, 0x537) ^ 0x5412
  const size = canvas.modules.length
  for (let index = 0; index < 15; index += 1) {
    const dark = ((bits >>> index) & 1) === 1
    // Around the first finder, past the timing …
    if (index < 8) fix(canvas, 8, index < 6 ? index : index + 1, dark)
    else fix(canvas, index === 8 ? 7 : 14 - index, 8, dark)
    // … and once more beside the two others
    if (index < 8) fix(canvas, size - 1 - index, 8, dark)
    else fix(canvas, 8, size - 15 + index, dark)
  }
  fix(canvas, 8, size - 8, true)
}

/** How hard it is to scan: long runs and blocks of one colour, and too much of one. */
const penalty = (modules: readonly (readonly boolean[])[]): number => {
  const columns = modules.map((_, x) => modules.map((row) => row[x] ?? false))
  const lines = [...modules, ...columns].map((line) => line.map((dark) => (dark ? '1' : '0')).join(''))
  const runs = lines.flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []).reduce((sum, run) => sum + run.length - 2, 0)
  const finders = lines.flatMap((line) => line.match(/(?=10111010000|00001011101)/g) ?? []).length * 40
  const blocks = modules.flatMap((row, y) =>
    row.filter(
      (dark, x) =>
        x > 0 && y > 0 && [row[x - 1], modules[y - 1]?.[x], modules[y - 1]?.[x - 1]].every((other) => other === dark),
    ),
  ).length
  const share = modules.flat().filter(Boolean).length / modules.length ** 2
  return runs + finders + blocks * 3 + Math.floor(Math.abs(share * 20 - 10)) * 10
}
