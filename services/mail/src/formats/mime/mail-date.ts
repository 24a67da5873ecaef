const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** RFC 5322 §3.3, in UTC: `Sun, 1 Mar 2026 12:00:00 +0000`. */
export const formatMailDate = (date: Date): string =>
  `${DAYS[date.getUTCDay()]}, ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()} ` +
  `${date.toISOString().slice(11, 19)} +0000`
