/** A day as a day picker has it, in the zone of the browser: `2026-05-03`; empty for none. */
export const dayOf = (moment: Date | null): string => {
  if (moment === null) return ''
  const two = (value: number) => String(value).padStart(2, '0')
  return `${String(moment.getFullYear()).padStart(4, '0')}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}

/** The moment that a day begins here. */
export const startOf = (day: string): Date | null => {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []
  return year === undefined ? null : new Date(Number(year), Number(month) - 1, Number(date))
}

/** The moment that a day is over here; days with another length count too. */
export const endOf = (day: string): Date | null => {
  const start = startOf(day)
  return start && new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1)
}
