/** The value as text; anything else is no text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
