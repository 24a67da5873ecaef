export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
