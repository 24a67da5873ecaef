import { qrModules } from './qr.ts'

type QrCodeProps = {
  text: string
  /** What it leads to, for those who cannot see it. */
  label: string
  className?: string
}

// The quiet zone of the standard
const MARGIN = 4

/** A QR code to be scanned from the screen: always dark on white, as cameras need it. */
export const QrCode = ({ text, label, className }: QrCodeProps) => {
  const rows = qrModules(text)
  const size = rows.length + 2 * MARGIN
  const path = rows
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + MARGIN} ${y + MARGIN}h1v1h-1z`] : [])))
    .join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect width={size} height={size} fill="white" />
      <path d={path} fill="black" />
    </svg>
  )
}
