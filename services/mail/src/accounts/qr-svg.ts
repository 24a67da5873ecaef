import { qrModules } from '@stoa/ui/qr.ts'

/** The quiet zone of the standard. */
const MARGIN = 4

/** A QR code as a picture: always dark on white, as cameras need it. */
export const qrSvg = (text: string): string => {
  const rows = qrModules(text)
  const size = rows.length + 2 * MARGIN
  const path = rows
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + MARGIN} ${y + MARGIN}h1v1h-1z`] : [])))
    .join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<rect width="${size}" height="${size}" fill="white"/><path d="${path}" fill="black"/></svg>`
  )
}
