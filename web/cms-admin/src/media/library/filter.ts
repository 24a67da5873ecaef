import type { MediaFilter } from '../queries.ts'

const FILES_PER_PAGE = 60

/** The order of a list that nobody has sorted. */
export const NEWEST_FIRST = '-createdAt'

/** Periods in which a file was uploaded, by their name in the address, with the days that they reach back. */
export const periods = {
  today: { label: 'Today', days: 0 },
  week: { label: 'Last 7 days', days: 6 },
  month: { label: 'Last 30 days', days: 29 },
  year: { label: 'Last 12 months', days: 364 },
} as const

/** The URL parameters that filter the list; clearing the filter empties them. */
export const filterNames = ['q', 'type', 'show', 'by', 'when', 'from', 'to'] as const

type Read = (name: string) => string

/** The list that an address asks for; `today` is a day such as `2026-03-01`. */
export const filterOf = (read: Read, today: string): MediaFilter => ({
  q: read('q'),
  folder: read('folder'),
  type: read('type'),
  missingAlt: read('show') === 'alt',
  unused: read('show') === 'unused',
  createdBy: read('by'),
  ...daysOf(read, today),
  sort: read('sort') || NEWEST_FIRST,
  page: Math.max(1, Math.floor(Number(read('page'))) || 1),
  limit: FILES_PER_PAGE,
})

/** Whether anything but the folder narrows the list. */
export const isNarrowed = (read: Read): boolean => filterNames.some((name) => read(name) !== '')

/** A day of the person's own zone, as a date input writes it. */
export const dayOf = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

const isPeriod = (name: string): name is keyof typeof periods => Object.hasOwn(periods, name)

const daysOf = (read: Read, today: string): { from: string; to: string } => {
  const when = read('when')
  if (isPeriod(when)) return { from: daysBefore(today, periods[when].days), to: '' }
  if (when !== 'between') return { from: '', to: '' }
  const [from, to] = [read('from'), read('to')]
  return { from: isDay(from) ? from : '', to: isDay(to) ? to : '' }
}

const daysBefore = (day: string, days: number): string => {
  const at = new Date(`${day}T12:00:00`)
  at.setDate(at.getDate() - days)
  return dayOf(at)
}
