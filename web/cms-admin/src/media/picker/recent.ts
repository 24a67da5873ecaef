const KEY = 'stoa-media-recent'
/** As many as fit into the first rows. */
const MAX_RECENT = 8

/** The ids of the files that were picked last in this browser, the latest first. */
export const recentlyPicked = (): readonly string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MAX_RECENT) : []
  } catch {
    // Site data is blocked, or someone else wrote there
    return []
  }
}

export const rememberPicked = (ids: readonly string[]): void => keep([...new Set([...ids, ...recentlyPicked()])])

export const forgetPicked = (id: string): void => keep(recentlyPicked().filter((other) => other !== id))

const keep = (ids: readonly string[]): void => {
  try {
    localStorage.setItem(KEY, JSON.stringify(ids.slice(0, MAX_RECENT)))
  } catch (error) {
    // The order is a convenience: the picker works without it
    console.warn("Couldn't save the recently used files", error)
  }
}
