/** A moment as a date and time input shows it, in the person's zone. */
export const localInputOf = (iso: string): string => {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return ''
  const two = (number: number) => String(number).padStart(2, '0')
  const date = [String(at.getFullYear()).padStart(4, '0'), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The moment that a date and time input means in the person's zone; undefined when it is empty or half filled in. */
export const momentOf = (text: string): string | undefined => {
  if (!/^\d{4,6}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return undefined
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** The name of the person's time zone. */
export const zoneName = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')
