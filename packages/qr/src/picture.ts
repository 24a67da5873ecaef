import { qrModules } from './qr.ts'

/** The quiet zone of the standard. */
const MARGIN = 4

/** A QR code as an SVG path of its dark modules, in a square of `size` units that must be white below it. */
export type QrPicture = { readonly size: number; readonly path: string }

export const qrPicture = (text: string): QrPicture => {
  const rows = qrModules(text)
  const path = rows
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + MARGIN} ${y + MARGIN}h1v1h-1z`] : [])))
    .join('')
  return { size: rows.length + 2 * MARGIN, path }
}

/** A QR code as a whole SVG document: always dark on white, as cameras need it. */
export const qrSvg = (text: string): string => {
  const { size, path } = qrPicture(text)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<rect width="${size}" height="${size}" fill="white"/><path d="${path}" fill="black"/></svg>`
  )
}
