import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

/** The content of an event: see `LiveEvent` of the client. */
type ReceivedEvent = { event: string; data: { id: string | null } }

/** Every read of an entry, of one and of many. */
const ENTRIES: readonly QueryKey[] = [['entries'], ['trash'], ['dashboard'], ['activity']]

const SITE: Readonly<Record<string, readonly QueryKey[]>> = {
  'settings.updated': [['settings'], ['activity']],
  'menu.updated': [['menus'], ['activity']],
  'type.updated': [['types'], ['entries'], ['dashboard'], ['activity']],
  'media.changed': [['media'], ['dashboard'], ['activity']],
  // Types say which taxonomies they have
  'taxonomy.updated': [['taxonomies'], ['types'], ['activity']],
  'design.updated': [['design'], ['activity']],
  'social.updated': [['social'], ['activity']],
  'plugin.updated': [['plugins'], ['plugin-screens'], ['activity']],
}

/** The prefixes of the query keys that an event may affect. */
export const keysOf = ({ event, data }: ReceivedEvent): readonly QueryKey[] => {
  if (event.startsWith('entry.')) return data.id === null ? ENTRIES : [['entry', data.id], ...ENTRIES]
  return Object.hasOwn(SITE, event) ? (SITE[event] ?? []) : []
}

/** A save makes several events: they are one reading. */
const PAUSE_MS = 250
/** While events do not end, an import for example, what is shown is at most so old. */
const LONGEST_MS = 2_000

export type Refresher = {
  /** Reads again what is on the screen of these, soon, and the rest when it is next shown. */
  add: (keys: readonly QueryKey[]) => void
  /** Everything: events may have been missed. */
  addAll: () => void
  /** A tab that nobody looks at reads when it is looked at. */
  setHidden: (isHidden: boolean) => void
  stop: () => void
}

/** Collects what has changed. What is shown stays as it is until the new answer is there. */
export const createRefresher = (
  queryClient: Pick<QueryClient, 'invalidateQueries' | 'getQueryCache'>,
  isHidden = false,
): Refresher => {
  const waiting = new Map<string, QueryKey>()
  let since = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let hidden = isHidden

  const flush = (): void => {
    timer = undefined
    const keys = waiting.has(EVERYTHING) ? [[]] : [...waiting.values()]
    waiting.clear()
    const begun = new Set(
      keys.flatMap((queryKey) => queryClient.getQueryCache().findAll({ queryKey, predicate: isBegun })),
    )
    for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
    for (const query of begun) void query.fetch().then(() => readAgain(query.queryKey), ignore)
  }
  const readAgain = (queryKey: QueryKey) => queryClient.invalidateQueries({ queryKey, exact: true })
  const plan = (): void => {
    if (hidden || waiting.size === 0) return
    clearTimeout(timer)
    timer = setTimeout(flush, Math.max(0, Math.min(PAUSE_MS, since + LONGEST_MS - Date.now())))
  }
  const add = (keys: readonly QueryKey[]): void => {
    if (waiting.size === 0) since = Date.now()
    for (const key of keys) waiting.set(JSON.stringify(key), key)
    plan()
  }

  return {
    add,
    addAll: () => add([[]]),
    setHidden(next) {
      hidden = next
      if (hidden) clearTimeout(timer)
      else plan()
    },
    stop() {
      clearTimeout(timer)
      waiting.clear()
    },
  }
}

/** Read for the first time at this moment: it cannot be begun anew, and its answer may be from before the event. */
const isBegun = ({ state }: Query): boolean => state.fetchStatus === 'fetching' && state.data === undefined

const ignore = (): void => undefined
const EVERYTHING = JSON.stringify([])
