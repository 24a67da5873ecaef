import type { RspamdAnswer } from '../../wire/scanners/scanners.ts'
import type { Reason } from './content-rules.ts'

/** Its points on our scale, where 5 is spam: it marks messages as spam from 6 on. */
export const rspamdReason = ({ score }: RspamdAnswer): Reason => ({
  name: 'rspamd',
  points: Math.round(Math.min(Math.max((score * 5) / 6, -5), 15) * 10) / 10,
})
