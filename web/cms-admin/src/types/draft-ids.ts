let made = 0

/** An id for a field or choice that has just been made. */
export const newDraftId = (): string => {
  made += 1
  return `new ${made}`
}
