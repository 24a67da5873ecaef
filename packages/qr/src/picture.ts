import { encode } from 'uqr'

/** The quiet zone of the standard. */
const MARGIN = 4
/** Bytes of version 20: a larger code is hard to scan from a screen. */
const MAX_BYTES = 666

/** A QR code as an SVG path of its dark modules, in a square of `size` units that must be white below it. */
export type QrPicture = { readonly size: number; readonly path: string }

/** Error correction level M: a quarter of it may be dirty. */
export const qrPicture = (text: string): QrPicture => {
  if (new TextEncoder().encode(text).length > MAX_BYTES) throw new RangeError('the text is too long for a QR code')
  const { size, data } = encode(text, { ecc: 'M', border: MARGIN })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return { size, path }
}

/** A QR code as a whole SVG document: always dark on white, as cameras need it. */
export const qrSvg = (text: string): string => {
  const { size, path } = qrPicture(text)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<rect width="${size}" height="${size}" fill="white"/><path d="${path}" fill="black"/></svg>`
  )
}
