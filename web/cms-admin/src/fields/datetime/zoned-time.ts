/** The result of reading a local time in a zone. Clocks skip an hour in spring, and show one twice in autumn. */
export type WallReading =
  | { kind: 'once'; moment: string }
  /** The clocks skip it: the moment is as much later as they skip. */
  | { kind: 'skipped'; moment: string }
  | { kind: 'twice'; moment: string; later: string }

/** The time that clocks of the zone show, as `YYYY-MM-DDTHH:mm`, with seconds if there are any. */
export const wallOf = (moment: string, zone: string): string => {
  const at = Date.parse(moment)
  if (Number.isNaN(at)) return ''
  const wall = new Date(at + offsetAt(at, zone)).toISOString()
  return wall.slice(17, 19) === '00' ? wall.slice(0, 16) : wall.slice(0, 19)
}

/** The moment of a time on the wall; undefined when it is no complete time. */
export const readWall = (wall: string, zone: string): WallReading | undefined => {
  const asUtc = utcOf(wall)
  if (asUtc === undefined) return undefined
  // No zone changes twice in two days, so that these are the offsets before and after a change
  const before = offsetAt(asUtc - DAY_MS, zone)
  const after = offsetAt(asUtc + DAY_MS, zone)
  const meant = [...new Set([before, after])]
    .map((offset) => ({ at: asUtc - offset, offset }))
    .filter(({ at, offset }) => offsetAt(at, zone) === offset)
    .map(({ at }) => at)
    .sort((a, b) => a - b)
  const [first, second] = meant
  if (first === undefined) return momentOf(asUtc - before, (moment) => ({ kind: 'skipped', moment }))
  if (second === undefined) return momentOf(first, (moment) => ({ kind: 'once', moment }))
  return momentOf(first, (moment) => ({ kind: 'twice', moment, later: new Date(second).toISOString() }))
}

/** The other moment at which the clocks of the zone show the same, if there is one. */
export const repeatedTimeOf = (moment: string, zone: string): { earlier: string; later: string } | undefined => {
  const reading = readWall(wallOf(moment, zone), zone)
  return reading?.kind === 'twice' ? { earlier: reading.moment, later: reading.later } : undefined
}

/** How the zone is ahead of UTC then, as `GMT+1` or `GMT-3:30`. */
export const offsetName = (moment: string, zone: string): string => {
  const minutes = Math.round(offsetAt(Date.parse(moment), zone) / 60_000)
  if (minutes === 0) return 'GMT'
  const size = Math.abs(minutes)
  const rest = size % 60 === 0 ? '' : `:${String(size % 60).padStart(2, '0')}`
  return `GMT${minutes < 0 ? '−' : '+'}${Math.floor(size / 60)}${rest}`
}

const DAY_MS = 86_400_000

/** How far clocks of the zone are ahead of UTC at a moment. Long ago that was not always in whole minutes. */
const offsetAt = (at: number, zone: string): number => {
  const whole = Math.floor(at / 1000) * 1000
  const part = new Map(
    formatOf(zone)
      .formatToParts(whole)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const wall = new Date(0)
  wall.setUTCFullYear(part.get('year') ?? 0, (part.get('month') ?? 1) - 1, part.get('day') ?? 1)
  wall.setUTCHours(part.get('hour') ?? 0, part.get('minute') ?? 0, part.get('second') ?? 0)
  return wall.getTime() - whole
}

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(zone, format)
  return format
}

const utcOf = (wall: string): number | undefined => {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/.test(wall)) return undefined
  const at = Date.parse(`${wall}Z`)
  return Number.isNaN(at) ? undefined : at
}

// Before the year 1 and after 9999 moments are written differently, and the service refuses them
const momentOf = (at: number, read: (moment: string) => WallReading): WallReading | undefined => {
  const moment = new Date(at).toISOString()
  return /^(?!0000)\d{4}-/.test(moment) ? read(moment) : undefined
}
