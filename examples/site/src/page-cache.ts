/** A rendered page. */
export type Rendered = { status: number; type: string; body: string }

export type PageCache = {
  /** The page, from memory while the content is the same; made anew otherwise. */
  get(key: string, make: () => Promise<Rendered>): Promise<Rendered>
}

/** Pages are forgotten all at once when the content changes: any of them may show what has changed. */
export const createPageCache = (contentVersion: () => number, maxPages = 500): PageCache => {
  const pages = new Map<string, Rendered>()
  let version = contentVersion()
  return {
    async get(key, make) {
      // Before the content is read: a change while it is read must not be hidden by a page that does not show it.
      const before = contentVersion()
      if (before !== version) pages.clear()
      version = before
      const known = pages.get(key)
      if (known) return known
      const page = await make()
      // A page that is not there takes no room: there are too many of them.
      if (page.status === 200 && contentVersion() === before && version === before) {
        const [oldest] = pages.keys()
        if (pages.size >= maxPages && oldest !== undefined) pages.delete(oldest)
        pages.set(key, page)
      }
      return page
    },
  }
}
