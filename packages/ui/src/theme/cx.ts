type ClassValue = string | false | null | undefined

/** Joins class names and drops the empty ones. */
export const cx = (...values: ClassValue[]): string => values.filter(Boolean).join(' ')
