import { qrPicture } from '@stoa/qr/picture.ts'

type QrCodeProps = {
  text: string
  /** What it leads to, for those who cannot see it. */
  label: string
  className?: string
}

/** A QR code to be scanned from the screen: always dark on white, as cameras need it. */
export const QrCode = ({ text, label, className }: QrCodeProps) => {
  const { size, path } = qrPicture(text)
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
