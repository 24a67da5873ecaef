import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'

const SOON_MS = 60_000

/** When the service looks by itself: "in 12 minutes", or "within a minute". */
export const NextCheck = ({ at }: { at: string }) =>
  Date.parse(at) - Date.now() < SOON_MS ? 'within a minute' : <RelativeTime at={at} />
